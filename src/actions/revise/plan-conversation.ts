import { randomUUID } from "node:crypto";
import type { RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import type { Result } from "../../base/result.ts";
import type { Engine, InteractiveOptions, TurnOutcome, TurnRequest } from "../../engines/engine.ts";

/**
 * Of each engine that was asked for a plan, by its name: the session in which it goes on when the person says what
 * is to be otherwise, or when its plan could not be taken.
 */
export type Conversations = Map<string, string>;

/** An engine that can be opened for a person. */
export interface Talker {
  readonly engine: Engine;
  readonly interactive: NonNullable<Engine["interactive"]>;
}

/**
 * Opens an engine for the person, in the conversation that they had with it before, where its id is known. One that
 * the engine ended with an error may be one that it does not know: the next is a fresh one.
 */
export async function talkOn(
  conversations: Conversations,
  { engine: { name, takesSessionId = false }, interactive }: Talker,
  prompt: string,
  where: Pick<InteractiveOptions, "cwd" | "runId">,
): Promise<Result<RunEnd, SpawnFailure>> {
  const resume = conversations.get(name);
  const begin = resume === undefined && takesSessionId ? randomUUID() : undefined;
  const ended = await interactive(prompt, { ...where, resume, begin });
  const isWell = ended.ok && ended.value.kind === "exited" && ended.value.exitCode === 0;
  if (!isWell) conversations.delete(name);
  else if (begin !== undefined) conversations.set(name, begin);
  return ended;
}

/**
 * Runs a turn in the session of the engine's turn before; where the engine does not know that any more, once more in
 * a fresh one.
 *
 * @param request makes the request anew for each run: no two write the same output
 */
export async function turnOn(
  conversations: Conversations,
  engine: Engine,
  request: () => TurnRequest,
): Promise<TurnOutcome> {
  const session = conversations.get(engine.name);
  const resume = session === undefined ? undefined : { session };
  const resumed = await engine.turn({ ...request(), resume });
  const isLost =
    resume !== undefined && resumed.kind === "failed" && resumed.failure === "no-session";
  const outcome = isLost ? await engine.turn(request()) : resumed;
  if (outcome.kind === "failed" || outcome.session === undefined) conversations.delete(engine.name);
  else conversations.set(engine.name, outcome.session);
  return outcome;
}
