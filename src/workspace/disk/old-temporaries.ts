import { join } from "node:path";
import { LEFTOVER_MS_MIN } from "../../base/limits.ts";
import { entryKind, namesIn } from "../../host/files/entry-kind.ts";
import { findLeftovers, removeLeftover, type Leftover } from "../../host/files/leftovers.ts";
import { repositoryState, stateRoot } from "../state-directory.ts";
import type { World } from "../world.ts";

type Looker = Pick<World, "host" | "env">;

/** wisp's own files are less deep in its state directory. */
const DEPTH_MAX = 6;
/** Far more than wisp makes; beyond, they are found by a later look. */
const FOLDERS_MAX = 20_000;

/** Folders in which engines, commands of the project or git write: a name says nothing there. */
const OF_OTHERS = /^(?:clone|tmp)\b|^(?:verify|places|\.objects)$/u;

/**
 * Temporary files of wisp's own, anywhere in its state directory, that a killed process left: so old that no process
 * can be about to put one in its place. Follows no link.
 */
export function oldTemporaries(world: Looker): readonly Leftover[] {
  const folders: string[] = [];
  let level: readonly string[] = [stateRoot(world.env)];
  for (let depth = 0; depth < DEPTH_MAX && folders.length < FOLDERS_MAX; depth++) {
    folders.push(...level);
    level = level.flatMap(ownFolders);
  }
  return temporariesIn(world, folders.slice(0, FOLDERS_MAX));
}

/** Removes those that are next to the folders of sessions: commands that read sessions do it. */
export function removeOldTemporaries(world: Looker, repository: string): void {
  const folders = [stateRoot(world.env), repositoryState(world.env, repository)];
  for (const leftover of temporariesIn(world, folders)) removeLeftover(leftover);
}

function ownFolders(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => !OF_OTHERS.test(name))
    .map((name) => join(folder, name))
    .filter((path) => entryKind(path) === "directory");
}

function temporariesIn({ host }: Looker, folders: readonly string[]): readonly Leftover[] {
  const found = findLeftovers(folders, host.clock.nowMs(), { ageMsMin: LEFTOVER_MS_MIN });
  return found.filter(({ what, path }) => what === "temporary" && entryKind(path) === "file");
}
