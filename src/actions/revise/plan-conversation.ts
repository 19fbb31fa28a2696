import { randomUUID } from "node:crypto";
import type { RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import type { Result } from "../../base/result.ts";
import type { Engine, InteractiveOptions, TurnOutcome, TurnRequest } from "../../engines/engine.ts";

/**
 * For each engine that was asked for a plan, by name: the session to resume when the person gives
 * feedback, or when its plan was unusable.
 */
export type Conversations = Map<string, string>;

/** An engine that can be opened for a person. */
export interface Talker {
  readonly engine: Engine;
  readonly interactive: NonNullable<Engine["interactive"]>;
}

/**
 * Opens an engine for the person, resuming their earlier conversation if its id is known. If the
 * engine exits with an error, it may not know the conversation: the next one is fresh.
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
 * Runs a turn in the engine's previous session; if the engine no longer knows that session, runs it
 * again in a fresh one.
 *
 * @param request creates a new request for each run, since no two may write to the same output
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
