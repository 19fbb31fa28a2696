import { join } from "node:path";
import { EXIT } from "../base/exit-code.ts";
import { refusal, type Refusal } from "../base/failure.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { shown } from "../base/words/shown.ts";
import { homeAt } from "../fs-protocol/home/home.ts";
import { PlaceJson, placePath } from "../fs-protocol/home/place-json.ts";
import { sessionsDirectory } from "../workspace/sessions.ts";
import type { World } from "../workspace/world.ts";
import { mirroredBranch } from "./follow/mirror-session.ts";
import type { MirroredSession } from "./follow/mirrored-session.ts";
import { knownProgram } from "./known-program.ts";
import { openExecutor } from "./open-executor.ts";

/** A home is not the mirror of a session that was started elsewhere. */
export const NotElsewhere = refusal(
  "not-elsewhere",
  EXIT.usage,
  ({ id }: { readonly id: string }) => [
    `${shown(id)} does not run elsewhere, or its start there has not got so far.`,
    "To see your sessions:",
    "wisp list",
  ],
);

/**
 * What is needed to reach a session that runs elsewhere.
 *
 * @param branch the branch that was announced for it, as long as its files have not arrived
 */
export async function openMirrored(
  world: World,
  {
    repository,
    id,
    branch,
  }: { readonly repository: string; readonly id: string; readonly branch?: string | undefined },
): Promise<Result<MirroredSession, Refusal>> {
  const { files } = world.host;
  const home = homeAt(join(sessionsDirectory(repository), id));
  const read = files.read(placePath(home));
  if (!read.ok) return read;
  const placed = PlaceJson.safeParse(jsonOf(Buffer.from(read.value ?? []).toString("utf8"))).data;
  const known = placed?.branch ?? mirroredBranch(world, home) ?? branch;
  const program = placed && knownProgram(files, placed.state);
  // A copied repository must not reach for the places of the original.
  const isHere = placed?.repository === repository;
  if (placed?.mirrors === undefined || !isHere || known === undefined || program === undefined) {
    return fail(NotElsewhere({ id }));
  }
  const { executor: name, ...place } = placed.mirrors;
  const opened = await openExecutor(world, name);
  if (!opened.ok) return opened;
  const { executor } = opened.value;
  return ok({ id, branch: known, home, placed, executor, place, program });
}
