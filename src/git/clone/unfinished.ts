import { join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { MERGE_STATES, REBASE_STATES } from "../repository/work-tree.ts";

/** Files of a bisection and of messages prepared for a commit that will not come. */
const LEFTOVERS = [
  ...MERGE_STATES,
  "MERGE_MSG",
  "MERGE_MODE",
  "MERGE_RR",
  "AUTO_MERGE",
  "SQUASH_MSG",
  "BISECT_LOG",
  "BISECT_START",
  "BISECT_NAMES",
  "BISECT_TERMS",
  "BISECT_EXPECTED_REV",
];

/**
 * Forgets a half-done rebase, merge or pick; HEAD, index and work tree are the caller's to put right.
 * Not `rebase --abort`: after a kill that failed 7 times of 39 because of files it would overwrite,
 * while forgetting the state and checking out the branch, which a rebase moves only at its very end,
 * never lost a commit.
 */
export function endUnfinished(repo: CloneRepo): Result<void, GitFailure> {
  for (const name of [...REBASE_STATES, ...LEFTOVERS]) {
    const path = join(repo.location.gitDirectory, name);
    const removed = repo.context.directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("repair", removed.failure));
  }
  return ok(undefined);
}
