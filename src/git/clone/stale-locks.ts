import { join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";

/** References nest in directories, but git never nests them this deep. */
const DEPTH_MAX = 32;

/**
 * Removes the lock files that killed git commands left in a clone. Call it only under the role's
 * lease and after the sweep of leftover processes, when every lock's owner is dead. Symbolic links
 * are not followed, because an engine may have planted one.
 */
export function removeStaleLocks(repo: CloneRepo): Result<void, GitFailure> {
  const git = repo.location.gitDirectory;
  const flat = [git, ...FLAT.map((name) => join(git, name))];
  for (const directory of [...flat, ...directoriesBelow(repo, join(git, "refs"), 0)]) {
    const removed = removeLocksIn(repo, directory);
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

const FLAT = ["objects", "objects/info", "objects/info/commit-graphs", "objects/pack", "reftable"];

function removeLocksIn(repo: CloneRepo, directory: string): Result<void, GitFailure> {
  const { files, directories } = repo.context;
  if (directories.kindOf(directory) !== "directory") return ok(undefined);
  const listed = files.list(directory);
  if (!listed.ok) return fail(fileAsGitFailure("repair", listed.failure));
  for (const name of listed.value.filter((entry) => entry.endsWith(".lock"))) {
    const removed = directories.removeTree(join(directory, name));
    if (!removed.ok) return fail(fileAsGitFailure("repair", removed.failure));
  }
  return ok(undefined);
}

function directoriesBelow(repo: CloneRepo, directory: string, depth: number): readonly string[] {
  const { files, directories } = repo.context;
  if (depth > DEPTH_MAX || directories.kindOf(directory) !== "directory") return [];
  const listed = files.list(directory);
  const names = listed.ok ? listed.value : [];
  return [
    directory,
    ...names.flatMap((name) => directoriesBelow(repo, join(directory, name), depth + 1)),
  ];
}
