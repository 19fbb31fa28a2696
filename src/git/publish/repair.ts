import { join, posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import {
  HUB_REF,
  headOf,
  isAncestorIn,
  isAttached,
  mustHead,
  refOf,
  type CloneRepo,
} from "../clone/clone-repo.ts";
import { fetchHub } from "../repository/fetch-hub.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { assertOids, oidInFile } from "../command/object-ids.ts";
import { changedPaths } from "../clone/history.ts";
import { undoOwnRebase } from "./rebase.ts";
import { sideToKeep } from "../clone/reattach.ts";
import { readHead } from "../command/read-ref.ts";
import { saveRescue } from "./rescue.ts";
import { removeStaleLocks } from "../clone/stale-locks.ts";
import { unsteer } from "../steering/unsteer.ts";
import {
  checkOutForced,
  endUnfinished,
  forceTo,
  hiddenPaths,
  isPlainIndex,
  readWorkTreeState,
  settleCheckout,
  unhidePaths,
  unfinishedOperation,
  type WorkTreeState,
} from "../repository/work-tree.ts";

/** The reference under which work was saved, if there was any. */
export interface Rescued {
  readonly rescue: string | undefined;
}

/**
 * Makes a clone usable after a crash. Uncommitted work is saved first. Commits stay on the branch, published or
 * not; the recovery of the unit decides about them.
 */
export async function repair(repo: CloneRepo): Promise<Result<Rescued, GitFailure>> {
  const state = await prepare(repo);
  if (!state.ok) return state;
  const operation = unfinishedOperation(repo);
  const isClean = !state.value.hasChanges && !state.value.hasUntracked;
  if (isClean && operation === undefined && isAttached(repo)) {
    // A bisection leaves everything above unchanged, but would still block the next one.
    const forgotten = endUnfinished(repo);
    return forgotten.ok ? ok({ rescue: undefined }) : forgotten;
  }
  const loose = await looseHeads(repo, operation);
  const rescue = await saveRescue(repo, { hasWork: !isClean, commits: loose.commits });
  if (!rescue.ok) return rescue;
  const target = loose.target ?? (await refOf(repo, HUB_REF));
  if (target === undefined) {
    return fail(gitFailure("repair", repo.directory, "the clone has no commit to go back to"));
  }
  const ended = endUnfinished(repo);
  if (!ended.ok) return ended;
  const forced = await forceTo(repo, target);
  return forced.ok ? ok({ rescue: rescue.value }) : forced;
}

/** Saves uncommitted work and unpublished commits, then resets to the hub's HEAD, or to `at`. */
export async function rescueAndReset(
  repo: CloneRepo,
  at?: Oid,
): Promise<Result<Rescued, GitFailure>> {
  if (at !== undefined) assertOids(at);
  // Without `at` the caller need not have begun with a sync, so what was known of the work tree may be out of date.
  const settledAt = at && repo.memory.settledAt;
  const state = await prepare(repo, settledAt);
  if (!state.ok) return state;
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  const operation = unfinishedOperation(repo);
  const loose = await looseHeads(repo, operation);
  const hasWork = state.value.hasChanges || state.value.hasUntracked;
  const rescue = await saveRescue(repo, {
    hasWork,
    commits: loose.target === undefined ? loose.commits : [loose.target, ...loose.commits],
  });
  if (!rescue.ok) return rescue;
  const ended = endUnfinished(repo);
  if (!ended.ok) return ended;
  const target = at ?? fetched.value;
  const isClean = !hasWork && operation === undefined && isAttached(repo) && isPlainIndex(repo);
  const moved = isClean ? await moveClean(repo, target) : await forceTo(repo, target);
  if (!moved.ok) return moved;
  repo.memory.settledAt = at;
  return ok({ rescue: rescue.value });
}

/** Moves a clone that has nothing to clean to a commit, and leaves it like that. */
async function moveClean(repo: CloneRepo, target: Oid): Promise<Result<Oid, GitFailure>> {
  const head = await mustHead(repo);
  if (!head.ok) return head;
  if (head.value === target) return ok(target);
  // Another list of ignored files may show files that were ignored until now.
  if (await mayChangeIgnored(repo, head.value, target)) return forceTo(repo, target);
  const moved = await checkOutForced(repo, target);
  if (!moved.ok) return moved;
  const settled = await settleCheckout(repo);
  return settled.ok ? ok(target) : settled;
}

async function mayChangeIgnored(repo: CloneRepo, from: Oid, to: Oid): Promise<boolean> {
  const changed = await changedPaths(repo, from, to);
  // A rename names the new path only.
  const isHarmless = ({ status, path }: ChangedPath) =>
    status !== "renamed" &&
    status !== "other" &&
    posix.basename(path).toLowerCase() !== ".gitignore";
  return !changed.ok || !changed.value.every(isHarmless);
}

/**
 * Brings the clone into a readable state and returns the state of its work tree.
 *
 * @param settledAt the commit at which the work tree is known to be clean
 */
async function prepare(
  repo: CloneRepo,
  settledAt?: Oid,
): Promise<Result<WorkTreeState, GitFailure>> {
  repo.memory.settledAt = undefined;
  const restored = repo.restore();
  if (!restored.ok) return restored;
  const made = makeReadable(repo);
  if (!made.ok) return made;
  const unsteered = await unsteer(repo.context, {
    directory: repo.directory,
    hub: repo.hub.directory,
  });
  if (!unsteered.ok) return unsteered;
  const undone = await undoOwnRebase(repo);
  if (!undone.ok) return undone;
  return (await isSettled(repo, settledAt)) ? ok(CLEAN) : readWorkTree(repo);
}

/** Removes what would make every git command fail: stale locks and a broken HEAD. */
function makeReadable(repo: CloneRepo): Result<void, GitFailure> {
  const unlocked = removeStaleLocks(repo);
  if (!unlocked.ok) return unlocked;
  const { files, directories } = repo.context;
  if (readHead(files, repo.location) !== undefined) return ok(undefined);
  const head = join(repo.location.gitDirectory, "HEAD");
  directories.removeTree(head);
  const replaced = files.replace(head, Buffer.from(`ref: refs/heads/${repo.branch}\n`));
  return replaced.ok ? ok(undefined) : fail(fileAsGitFailure("repair", replaced.failure));
}

async function readWorkTree(repo: CloneRepo): Promise<Result<WorkTreeState, GitFailure>> {
  const [hidden, state] = await Promise.all([hiddenPaths(repo), readWorkTreeState(repo)]);
  if (!hidden.ok || !state.ok) return rebuildIndex(repo);
  if (hidden.value.length === 0) return state;
  const shown = await unhidePaths(repo, hidden.value);
  return shown.ok ? readWorkTreeState(repo) : shown;
}

const CLEAN: WorkTreeState = { hasChanges: false, hasUntracked: false, hasConflicts: false };

/** Whether the clone is as wisp left it, clean, since the last turn ended. */
async function isSettled(repo: CloneRepo, settledAt: Oid | undefined): Promise<boolean> {
  if (settledAt === undefined || settledAt !== (await headOf(repo))) return false;
  return unfinishedOperation(repo) === undefined && isAttached(repo) && isPlainIndex(repo);
}

/** An unreadable index contains nothing that the work tree and the commits do not. */
async function rebuildIndex(repo: CloneRepo): Promise<Result<WorkTreeState, GitFailure>> {
  repo.context.directories.removeTree(join(repo.location.gitDirectory, "index"));
  const read = await repo.git.must(["read-tree", "HEAD"]);
  return read.ok ? readWorkTreeState(repo) : read;
}

interface LooseHeads {
  /** The commit that the branch should point to. */
  readonly target: Oid | undefined;
  /** Commits that the branch will not contain. */
  readonly commits: readonly Oid[];
}

async function looseHeads(
  repo: CloneRepo,
  operation: "rebase" | "merge" | undefined,
): Promise<LooseHeads> {
  const head = await headOf(repo);
  const tip = await refOf(repo, `refs/heads/${repo.branch}`);
  const side = await sideToKeep(repo, head, tip);
  // A rebase moves the branch only at its very end; until then the branch has all its commits.
  const isHeadAhead = operation !== "rebase" && side === "head";
  const target = isHeadAhead ? head : (tip ?? head);
  const stored = ["orig-head", "autostash"].flatMap((name) => [
    oidInFile(repo.context.files, join(repo.location.gitDirectory, "rebase-merge", name)),
    oidInFile(repo.context.files, join(repo.location.gitDirectory, "rebase-apply", name)),
  ]);
  const commits: Oid[] = [];
  for (const commit of [head, ...stored]) {
    if (commit === undefined || target === undefined) continue;
    if (!(await isAncestorIn(repo, commit, target))) commits.push(commit);
  }
  return { target, commits };
}
