import { join } from "node:path";
import { RESTING_CLONE_BYTES_MAX } from "../../base/limits.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { hasOwnContent } from "../lfs/own-content.ts";
import { hasOwnRefs } from "../refs/own-refs.ts";
import { placedRecord } from "../lfs/placed-record.ts";
import { type TrackedFiles, trackedFiles } from "../repository/index-file.ts";
import { hiddenPaths, INDEX_BYTES_MAX, unfinishedOperation } from "../repository/work-tree.ts";
import { steeringFolder } from "../steering/steering-place.ts";
import { areOnlyFilled } from "../submodules/submodule-work.ts";
import { type CloneRepo, headOf, isAncestor, isAttached } from "./clone-repo.ts";
import { unkeepable } from "./unkeepable.ts";
import { SETUP_MARKER } from "./setup-marker.ts";

/**
 * Removes a large clone that has nothing of its own, to be created again when it is needed: since it
 * borrows its objects, only its files have to be written. Whether anything was removed.
 */
export async function restClone(repo: CloneRepo): Promise<Result<boolean, GitFailure>> {
  if (repo.location.borrowed === undefined || !isLargeAlone(repo)) return ok(false);
  // What else is in a submodule could only be found by a git that runs there, with an engine's settings.
  if (!(await areOnlyFilled(repo))) return ok(false);
  const bare = await hasNothingOwn(repo);
  if (!bare.ok || !bare.value) return bare;
  const removed = removeClone(repo.context, repo.directory);
  return removed.ok ? ok(true) : fail(fileAsGitFailure("rest", removed.failure));
}

/** Removes a clone in such a way that a part of it is never mistaken for a broken clone. */
export function removeClone(
  { directories }: Pick<CloneRepo["context"], "directories">,
  directory: string,
): Result<void, FileFailure> {
  const aside = `${directory}.gone`;
  const before = directories.removeTree(aside);
  if (!before.ok) return before;
  const moved = directories.move(directory, aside);
  if (!moved.ok) return moved;
  for (const beside of [
    placedRecord(directory),
    `${directory}.config`,
    `${directory}.submodules`,
    steeringFolder(directory),
  ]) {
    const removed = directories.removeTree(beside);
    if (!removed.ok) return removed;
  }
  return directories.removeTree(aside);
}

function isLargeAlone({ context, location }: CloneRepo): boolean {
  const tracked = trackedIn(context, location.gitDirectory);
  return tracked !== undefined && tracked.bytes > RESTING_CLONE_BYTES_MAX;
}

/** Whether clones of the user's repository are probably so large that waiting roles do without. */
export function isLargeCheckout(context: Pick<GitContext, "files">, hub: string): boolean {
  return checkoutBytes(context, hub) > RESTING_CLONE_BYTES_MAX;
}

/** The size of the files in the user's work tree that git tracks; 0 if it is not known. */
export function checkoutBytes({ files }: Pick<GitContext, "files">, hub: string): number {
  const located = locateGitDirectory(files, hub);
  const tracked = located && trackedIn({ files }, located.gitDirectory);
  return tracked?.bytes ?? 0;
}

function trackedIn(
  { files }: Pick<GitContext, "files">,
  gitDirectory: string,
): TrackedFiles | undefined {
  const index = files.read(join(gitDirectory, "index"), INDEX_BYTES_MAX);
  return index.ok && index.value !== undefined ? trackedFiles(index.value) : undefined;
}

/** Whether the hub has everything in the clone: commits, references, files, even ignored ones. */
async function hasNothingOwn(repo: CloneRepo): Promise<Result<boolean, GitFailure>> {
  const { git, hub, branch, context, location } = repo;
  const marker = join(location.gitDirectory, SETUP_MARKER);
  if (context.directories.kindOf(marker) !== undefined) return ok(false);
  if (!isAttached(repo) || unfinishedOperation(repo) !== undefined) return ok(false);
  const [head, published] = [await headOf(repo), await hub.head(branch)];
  if (head === undefined || published === undefined) return ok(false);
  if (!(await isAncestor(repo.atHub, head, published))) return ok(false);
  const refs = await hasOwnRefs(repo);
  if (!refs.ok || refs.value) return refs.ok ? ok(false) : refs;
  if (unkeepable(repo).length > 0) return ok(false);
  const content = await hasOwnContent(repo);
  if (!content.ok || content.value) return content.ok ? ok(false) : content;
  const hidden = await hiddenPaths(repo);
  if (!hidden.ok) return hidden;
  const words = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"];
  const left = await git.must([...words, "--untracked-files=normal", "--ignored"]);
  return left.ok ? ok(hidden.value.length === 0 && left.value === "") : left;
}
