import { join, posix } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { WorkPlace } from "../clone/turn-changes.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { headIn } from "./steering-head.ts";
import { listedFiles, markSteering, putInGit } from "./steering-index.ts";
import { isReached, steeredClone, type SteeredClone } from "./steering-place.ts";
import { asidePath, endSteering, isSteered, readSteering } from "./steering-record.ts";

/**
 * Puts the files that steer agents back to what they were in a clone before its turn, whatever the turn made of them.
 * Does nothing, and takes one look at a path, if they are; goes on where a killed process stopped.
 */
export async function unsteer(
  context: GitContext,
  place: WorkPlace,
): Promise<Result<void, GitFailure>> {
  const { directory } = place;
  if (!isSteered(context, directory)) return ok(undefined);
  const record = readSteering(context, directory);
  if (record === undefined) return endSteering(context, directory);
  const clone = steeredClone(context, place);
  if (!clone.ok) return clone;
  const restored = clone.value.restore();
  if (!restored.ok) return restored;
  for (const [at, { path, wasThere }] of record.roots.entries()) {
    const back = putBack(clone.value, path, { aside: asidePath(directory, at), wasThere });
    if (!back.ok) return back;
  }
  for (const folder of record.folders.toReversed()) removeEmpty(clone.value, folder);
  const unmarked = await unmark(clone.value);
  if (!unmarked.ok) return unmarked;
  const shown =
    record.exclude === undefined
      ? removeInGit(clone.value, "info/exclude")
      : putInGit(clone.value, "info/exclude", record.exclude);
  return shown.ok ? endSteering(context, directory) : shown;
}

function putBack(
  clone: SteeredClone,
  path: string,
  { aside, wasThere }: { readonly aside: string; readonly wasThere: boolean },
): Result<void, GitFailure> {
  const { directories } = clone.context;
  const isAside = directories.kindOf(aside) !== undefined;
  // It was not moved yet, or is back already.
  if (wasThere && !isAside) return ok(undefined);
  if (isAside) makeFolders(clone, path);
  // A folder above it is gone, or a link now: then what was there went with it.
  if (!isReached(clone, path)) return ok(undefined);
  const to = join(clone.directory, path);
  const removed = removedAnyhow(clone, to);
  if (!removed.ok || !isAside) return removed;
  const moved = directories.move(aside, to);
  return moved.ok ? ok(undefined) : fail(fileAsGitFailure("steer", moved.failure));
}

/** Also if a test suite has write-protected the folder. */
function removedAnyhow(
  { context: { directories }, directory }: SteeredClone,
  path: string,
): Result<void, GitFailure> {
  let removed = directories.removeTree(path);
  if (!removed.ok && directories.makeWritable(directory).ok) removed = directories.removeTree(path);
  return removed.ok ? ok(undefined) : fail(fileAsGitFailure("steer", removed.failure));
}

/** Makes the folders above a path that are missing, as far as no file or link is in the way. */
function makeFolders({ context, directory }: SteeredClone, path: string): void {
  const names = path.split("/").slice(0, -1);
  for (const [at] of names.entries()) {
    const folder = join(directory, ...names.slice(0, at + 1));
    const kind = context.directories.kindOf(folder);
    if (kind !== undefined && kind !== "directory") return;
    if (kind === undefined && !context.files.makeScratchDirectory(folder).ok) return;
  }
}

function removeEmpty(clone: SteeredClone, folder: string): void {
  const path = join(clone.directory, folder);
  const { directories } = clone.context;
  if (!isReached(clone, posix.join(folder, "in-it"))) return;
  const listed = directories.entries(path);
  if (listed.ok && listed.value.length === 0) directories.removeTree(path);
}

async function unmark(clone: SteeredClone): Promise<Result<void, GitFailure>> {
  const removed = removeInGit(clone, "info/sparse-checkout");
  if (!removed.ok) return removed;
  const head = await headIn(clone);
  if (!head.ok) return head;
  const index = await listedFiles(clone, head.value.length / 2);
  return index.ok ? markSteering(clone, index.value, "--no-skip-worktree") : index;
}

function removeInGit(
  { context: { directories }, directory }: SteeredClone,
  name: string,
): Result<void, GitFailure> {
  const removed = directories.removeTree(join(directory, ".git", name));
  return removed.ok ? ok(undefined) : fail(fileAsGitFailure("steer", removed.failure));
}
