import { join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { changedSteering, placeAll } from "./steer.ts";
import type { SteeringBase } from "./steering-base.ts";
import { listedFiles } from "./steering-index.ts";
import type { SteeredClone } from "./steering-place.ts";

/**
 * Takes back what a turn itself made of the files that steer agents, before wisp stages what the turn left. Links of the
 * base stay as they are.
 *
 * @param kept files and folders that are as on the branch again, and not as in the base
 * @returns what was taken back
 */
export async function settleSteering(
  clone: SteeredClone,
  base: SteeringBase,
  kept: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const index = await listedFiles(clone, base.at.length / 2);
  if (!index.ok) return index;
  const changed = await changedSteering(clone, base, index.value);
  if (!changed.ok) return changed;
  const linked = [...base.others.keys()];
  const own = changed.value.filter(
    (root) =>
      !kept.includes(root) && !linked.some((path) => path === root || path.startsWith(`${root}/`)),
  );
  for (const root of own) {
    const removed = clone.context.directories.removeTree(join(clone.directory, root));
    if (!removed.ok) return fail(fileAsGitFailure("steer", removed.failure));
  }
  const placed = await placeAll(clone, base, own);
  return placed.ok ? ok(own) : placed;
}
