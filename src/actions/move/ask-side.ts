import { CannotGoOn, need } from "../../base/fatal.ts";
import { FAR_COPY_MS_MAX, MIRROR_LOOK_MS } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import { askFar, farCommand } from "../../remote/far-program.ts";
import type { World } from "../../workspace/world.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { RefusedThere } from "../elsewhere/say-there.ts";
import { HandoverAnswer, talkLine, type HandoverAsk } from "./handover-talk.ts";

/** The side of a session that is elsewhere, as it can be asked. */
export type FarSide = Pick<MirroredSession, "executor" | "place" | "program" | "id">;

/** How long the last processes at a place may take to end before it is removed. */
const CLEAR_MS_MAX = 30_000;

/** Asks the wisp at the other side of a session. Undefined if it could not be reached. */
export async function askSide(
  world: Pick<World, "tell">,
  side: FarSide,
  what: HandoverAsk["what"],
): Promise<HandoverAnswer | undefined> {
  const { executor, place, program, id } = side;
  const words = ["far", "handover", id, "--no-input"];
  const command = farCommand(place, program, { cwd: program.repository, words });
  const stdin = talkLine({ version: 1, name: executor.name, what });
  const asked = await askFar(executor, place, command, { stdin, timeoutMs: FAR_COPY_MS_MAX });
  if (!asked.ok && asked.failure.kind === "executor-unreachable") return undefined;
  const { end, stdout } = need(asked);
  if (end.kind !== "exited" || end.exitCode !== 0) throw strange(side, end.stderr);
  for (const line of end.stderr.trim().split("\n")) if (line !== "") world.tell(line);
  const parsed = HandoverAnswer.safeParse(jsonOf(stdout));
  if (!parsed.success) throw strange(side, "its answer is not as it should be");
  return parsed.data;
}

/**
 * Has the wisp at a place save what only the clones there hold, and remove those that hold nothing more.
 *
 * @param known the commits of saved work that are here; undefined: what is saved now will be taken
 * @returns the clones that stay, which must keep the place; undefined if it could not be reached
 */
export async function clearSide(
  world: Pick<World, "tell" | "host">,
  side: FarSide,
  known: readonly Oid[] | undefined,
): Promise<readonly HeldClone[] | undefined> {
  const { clock } = world.host;
  const endsMs = clock.nowMs() + CLEAR_MS_MAX;
  for (;;) {
    const answer = await askSide(world, side, { kind: "clear", known });
    if (answer === undefined) return undefined;
    if (answer.kind !== "cleared") throw strange(side, "it answered something else");
    if (answer.held !== undefined) return answer.held;
    if (clock.nowMs() > endsMs) throw strange(side, "processes of the session do not end there");
    await clock.sleep(MIRROR_LOOK_MS);
  }
}

/** What a side said that it should not have. */
export function strange({ executor }: Pick<FarSide, "executor">, said: string): CannotGoOn {
  const lines = said.trim().split("\n");
  return new CannotGoOn(RefusedThere({ executor: executor.name, said: lines }));
}
