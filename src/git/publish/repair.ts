import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import {
  HUB_REF,
  headOf,
  isAncestor,
  isAttached,
  refOf,
  type CloneRepo,
} from "../clone/clone-repo.ts";
import { fetchHub } from "../repository/fetch-hub.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { oidInFile } from "../command/object-ids.ts";
import { undoOwnRebase } from "./rebase.ts";
import { sideToKeep } from "../clone/reattach.ts";
import { readHead } from "../command/read-ref.ts";
import { saveRescue } from "./rescue.ts";
import { removeStaleLocks } from "../clone/stale-locks.ts";
import {
  endUnfinished,
  forceTo,
  hiddenPaths,
  readWorkTreeState,
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

/** Saves uncommitted work and unpublished commits, then resets to the hub's HEAD. */
export async function rescueAndReset(repo: CloneRepo): Promise<Result<Rescued, GitFailure>> {
  const state = await prepare(repo);
  if (!state.ok) return state;
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  const loose = await looseHeads(repo, unfinishedOperation(repo));
  const rescue = await saveRescue(repo, {
    hasWork: state.value.hasChanges || state.value.hasUntracked,
    commits: loose.target === undefined ? loose.commits : [loose.target, ...loose.commits],
  });
  if (!rescue.ok) return rescue;
  const ended = endUnfinished(repo);
  if (!ended.ok) return ended;
  const forced = await forceTo(repo, fetched.value);
  return forced.ok ? ok({ rescue: rescue.value }) : forced;
}

/** Brings the clone into a readable state and returns the state of its work tree. */
async function prepare(repo: CloneRepo): Promise<Result<WorkTreeState, GitFailure>> {
  const restored = repo.restore();
  if (!restored.ok) return restored;
  const made = makeReadable(repo);
  if (!made.ok) return made;
  const undone = await undoOwnRebase(repo);
  return undone.ok ? readWorkTree(repo) : undone;
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
    if (!(await isAncestor(repo.git, commit, target))) commits.push(commit);
  }
  return { target, commits };
}
