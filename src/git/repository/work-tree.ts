import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type CloneRepo, isAttached, mustHead } from "../clone/clone-repo.ts";
import { hasNoHiddenEntries, hasPlainEntries } from "./index-file.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { entriesOf } from "../command/raw-output.ts";
import { mayConvert } from "../clone/conversions.ts";
import { clearBefore, clearGone } from "../submodules/clear-submodules.ts";
import { reallyChanged } from "../clone/stage-all.ts";

/** The state of a work tree. */
export interface WorkTreeState {
  readonly hasChanges: boolean;
  /** Untracked and not ignored. */
  readonly hasUntracked: boolean;
  readonly hasConflicts: boolean;
}

/** Reads the state of the work tree, without ignored files; `settings` are variables that tell git how to read it. */
export async function readWorkTreeState(
  repo: CloneRepo,
  settings: Environment = {},
): Promise<Result<WorkTreeState, GitFailure>> {
  const cleared = await clearGone(repo);
  if (!cleared.ok) return cleared;
  // Checking a populated submodule would run git with settings that cannot be trusted.
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"];
  // Lets git note which files it found unchanged. Otherwise it reads those that were written in the
  // same second as its index again and again, and `git add` stores a copy of each, because git in a
  // sandbox cannot touch what the clone borrows.
  const variables = { ...settings, GIT_OPTIONAL_LOCKS: "1" };
  const printed = await repo.git.must([...args, "--untracked-files=normal"], {
    variables,
    encoding: "latin1",
  });
  if (!printed.ok) return printed;
  const changed = await reallyChanged(repo, entriesOf(printed.value));
  if (!changed.ok) return changed;
  const entries = changed.value.map((entry) => entry.slice(0, 2));
  return ok({
    hasChanges: entries.some((code) => code !== "??"),
    hasUntracked: entries.includes("??"),
    hasConflicts: entries.some((code) => CONFLICTS.includes(code)),
  });
}

/** Whether anything is uncommitted, including untracked files that are not ignored. */
export async function isDirty(repo: CloneRepo): Promise<Result<boolean, GitFailure>> {
  const state = await readWorkTreeState(repo);
  if (!state.ok) return state;
  return ok(state.value.hasChanges || state.value.hasUntracked);
}

/** The operation that was begun in the clone and not finished; a new command would continue it. */
export function unfinishedOperation(repo: CloneRepo): "rebase" | "merge" | undefined {
  const isThere = (name: string) =>
    repo.context.directories.kindOf(join(repo.location.gitDirectory, name)) !== undefined;
  if (REBASE_STATES.some(isThere)) return "rebase";
  return MERGE_STATES.some(isThere) ? "merge" : undefined;
}

/** Directories in which a rebase, or a series of cherry-picks, keeps its state. */
const REBASE_STATES = ["rebase-merge", "rebase-apply", "sequencer"] as const;
/** Files in which git records a merge or a single cherry-pick. */
const MERGE_STATES = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] as const;

/**
 * Forces branch, index and work tree to `target`, and removes untracked files. Ignored files stay, because
 * installed packages are among them.
 */
export async function forceTo(repo: CloneRepo, target: Oid): Promise<Result<Oid, GitFailure>> {
  const checkedOut = await checkOutForced(repo, target);
  if (!checkedOut.ok) return checkedOut;
  const cleaned = await removeUntracked(repo);
  if (!cleaned.ok) return cleaned;
  const settled = await settleCheckout(repo);
  return settled.ok ? ok(target) : settled;
}

/**
 * A checkout writes pointers, of which git-lfs would only make pointers again, in a process for each. No pointer is
 * taken for content by that: whatever has its content is recorded as unchanged, and is not read.
 */
const WITHOUT_LFS: Environment = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "filter.lfs.clean",
  GIT_CONFIG_VALUE_0: "",
};

/** Makes git see that what was just checked out is unchanged, whatever it would convert. */
export async function settleCheckout(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  if (!mayConvert(repo)) return ok(undefined);
  const state = await readWorkTreeState(repo, WITHOUT_LFS);
  return state.ok ? ok(undefined) : state;
}

/** Like `forceTo`, but keeps untracked files that are not in the way. */
export async function checkOutForced(
  repo: CloneRepo,
  target: Oid,
): Promise<Result<void, GitFailure>> {
  const cleared = await clearBefore(repo, target);
  if (!cleared.ok) return cleared;
  // A work tree that an engine added to its clone may hold the branch.
  const words = ["checkout", "-q", "-f", "--ignore-other-worktrees", "-B", repo.branch];
  return withRights(repo, [...words, target, "--"]);
}

/** Retries a failed command after making files writable that an engine or a test suite had write-protected. */
async function withRights(
  { git, context, directory }: CloneRepo,
  args: readonly string[],
): Promise<Result<void, GitFailure>> {
  const done = await git.act(args);
  if (done.ok) return done;
  const changed = context.directories.makeWritable(directory);
  return changed.ok && changed.value > 0 ? git.act(args) : done;
}

/** Cleans up after verify: restores tracked files, removes untracked ones, keeps ignored ones. */
export async function cleanWorkTree(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  repo.memory.settledAt = undefined;
  const [dirty, hidden] = await Promise.all([isDirty(repo), hiddenPaths(repo)]);
  if (!dirty.ok) return dirty;
  if (!hidden.ok) return hidden;
  const isMidway = unfinishedOperation(repo) !== undefined;
  if (!dirty.value && hidden.value.length === 0 && !isMidway) return ok(undefined);
  const shown = await unhidePaths(repo, hidden.value);
  if (!shown.ok) return shown;
  const reset = await withRights(repo, ["reset", "--hard", "--quiet"]);
  return reset.ok ? removeUntracked(repo) : reset;
}

/**
 * Whether the clone is at `target`, on its branch, with nothing to clean. Runs two quick checks in parallel.
 *
 * @param settledAt the commit at which the work tree is known to be clean
 */
export async function isExactlyAt(
  repo: CloneRepo,
  target: Oid,
  settledAt: Oid | undefined,
): Promise<Result<boolean, GitFailure>> {
  const head = await mustHead(repo);
  if (!head.ok || head.value !== target || !isAttached(repo)) return ok(false);
  if (unfinishedOperation(repo) !== undefined) return ok(false);
  const isSettled = settledAt === target;
  const check = isSettled ? ok(false) : isDirty(repo);
  const [dirty, hidden] = await Promise.all([check, hiddenPaths(repo)]);
  if (!dirty.ok) return dirty;
  return hidden.ok ? ok(!dirty.value && hidden.value.length === 0) : hidden;
}

/**
 * Files that the index marks to be ignored (`assume-unchanged`, `skip-worktree`). An engine can set these marks,
 * and then neither status nor reset sees its changes: verify would run on a tree that differs from the commit.
 */
export async function hiddenPaths(repo: CloneRepo): Promise<Result<readonly string[], GitFailure>> {
  const index = repo.context.files.read(join(repo.location.gitDirectory, "index"), INDEX_BYTES_MAX);
  if (index.ok && index.value !== undefined && hasNoHiddenEntries(index.value)) return ok([]);
  const printed = await repo.git.must(["ls-files", "-v", "-z"], { encoding: "latin1" });
  if (!printed.ok) return printed;
  if (!/(?:^|\0)[a-zS] /u.test(printed.value)) return ok([]);
  const hidden = printed.value.split("\0").filter((entry) => /^[a-zS] /u.test(entry));
  return ok(hidden.map((entry) => entry.slice(2)));
}

/**
 * Whether what `git status` finds clean is really what the commit has: no entry of the index is marked to be ignored,
 * and none is a submodule, which status is told not to look at.
 */
export function isPlainIndex({ context, location }: CloneRepo): boolean {
  const index = context.files.read(join(location.gitDirectory, "index"), INDEX_BYTES_MAX);
  return index.ok && index.value !== undefined && hasPlainEntries(index.value);
}

/** Removes these marks, so that git sees the files again. */
export async function unhidePaths(
  repo: CloneRepo,
  paths: readonly string[],
): Promise<Result<void, GitFailure>> {
  if (paths.length === 0) return ok(undefined);
  const stdin = paths.map((path) => `${path}\0`).join("");
  for (const mark of ["--no-assume-unchanged", "--no-skip-worktree"]) {
    const args = ["update-index", mark, "-z", "--stdin"];
    const shown = await repo.git.must(args, { stdin, encoding: "latin1" });
    if (!shown.ok) return shown;
  }
  return ok(undefined);
}

/** The size of an index with a million files; for a larger one, git is asked. */
export const INDEX_BYTES_MAX = 128 * 1024 * 1024;

const CONFLICTS = ["DD", "AU", "UD", "UA", "DU", "AA", "UU"];

function removeUntracked(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  // Forced twice, because repositories that an engine made inside the clone are untracked too.
  return withRights(repo, ["clean", "-ffdq"]);
}

/** Files of a bisection, and messages prepared for a commit that will not be made. */
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
 * Discards the state of an unfinished rebase, merge or pick; the caller must then reset HEAD, index and work tree.
 * `rebase --abort` is no option: after a kill it failed 7 times out of 39, because of files that it would
 * overwrite. Discarding the state and checking out the branch, which a rebase moves only at its very end, never
 * lost a commit.
 */
export function endUnfinished(repo: CloneRepo): Result<void, GitFailure> {
  for (const name of [...REBASE_STATES, ...LEFTOVERS]) {
    const path = join(repo.location.gitDirectory, name);
    const removed = repo.context.directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("repair", removed.failure));
  }
  return ok(undefined);
}

/** Paths per command: together they stay far below the limit of an argument list. */
const PATHS_MAX = 100;

/** Restores files of the work tree from another commit, which must have them all. */
export async function overlayFiles(
  repo: CloneRepo,
  from: Oid,
  paths: readonly string[],
): Promise<Result<void, GitFailure>> {
  assertOids(from);
  repo.memory.settledAt = undefined;
  for (let start = 0; start < paths.length; start += PATHS_MAX) {
    const some = paths.slice(start, start + PATHS_MAX);
    const args = ["--literal-pathspecs", "checkout", "-q", "-f", from, "--", ...some];
    const checkedOut = await repo.git.must(args);
    if (!checkedOut.ok) return checkedOut;
  }
  return ok(undefined);
}
