import { need } from "../../base/fatal.ts";
import { PLACE_VARIABLE } from "../../base/ports/executor.ts";
import { archiveBranch, type ArchivedBranch } from "../../git/repository/kept-refs.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { TornDown } from "./tear-down.ts";

/**
 * Puts the branch of a discarded session away, once its clones are gone. At a place whose clones hold what cannot be
 * saved it stays: by it, the command that leaves the place tells when they hold nothing more. Idempotent.
 *
 * @returns undefined if it stays for that
 */
export async function putBranchAway(
  world: World,
  { session: { branch, repository: directory, id } }: FoundSession,
  { held }: Pick<TornDown, "held">,
): Promise<ArchivedBranch | undefined> {
  const isNeeded = world.env[PLACE_VARIABLE] !== undefined && held.length > 0;
  return isNeeded
    ? undefined
    : need(await archiveBranch(gitContext(world), { directory, branch }, id));
}
