import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type CloneRepo, HUB_REF, isAncestorIn, mustHead, refOf } from "../clone/clone-repo.ts";
import { rangeInClone } from "../clone/history.ts";
import { fetchHub } from "../repository/fetch-hub.ts";
import { gitFailure } from "../command/git-failure.ts";
import { reattach } from "../clone/reattach.ts";
import { checkOutForced, endUnfinished, unfinishedOperation } from "../repository/work-tree.ts";
import { clearBefore } from "../submodules/clear-submodules.ts";
import { join } from "node:path";
import { oidInFile } from "../command/object-ids.ts";

export type RebaseFailure = { readonly kind: "conflict" } | GitFailure;

/** The commit that the branch is at after a rebase, and whether it moved. */
export interface Rebased {
  readonly head: Oid;
  readonly moved: boolean;
}

/**
 * Rebases our commits onto the hub's HEAD. Merges among them are flattened, because a session's history is linear.
 * A conflict leaves the branch and the work tree unchanged.
 */
export async function rebaseOntoHub(repo: CloneRepo): Promise<Result<Rebased, RebaseFailure>> {
  const unfinished = unfinishedOperation(repo);
  if (unfinished !== undefined) {
    const detail = `a ${unfinished} was left unfinished in the clone`;
    return fail(gitFailure("rebase", repo.directory, detail));
  }
  const attached = await reattach(repo);
  if (!attached.ok) return attached;
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  const head = await mustHead(repo);
  if (!head.ok) return head;
  const onto = fetched.value;
  const range = await rangeInClone(repo, onto, head.value);
  if (!range.ok) return range;
  const { isBehind, hasMerges } = range.value;
  if (!isBehind && !hasMerges) return ok({ head: head.value, moved: false });
  return rebase(repo, onto, head.value);
}

async function rebase(
  repo: CloneRepo,
  onto: Oid,
  head: Oid,
): Promise<Result<Rebased, RebaseFailure>> {
  repo.memory.settledAt = undefined;
  const cleared = await clearBefore(repo, onto);
  if (!cleared.ok) return cleared;
  const run = await repo.git.run(["rebase", ...REBASE_OPTIONS, onto]);
  if (run.ok && run.value.exitCode === 0) {
    const moved = await mustHead(repo);
    return moved.ok ? ok({ head: moved.value, moved: true }) : moved;
  }
  // git stops midway only for a conflict; it refuses everything else before it starts.
  const hasStopped = unfinishedOperation(repo) !== undefined;
  const undone = hasStopped ? await undo(repo, head) : ok(undefined);
  if (!undone.ok) return undone;
  if (!run.ok) return run;
  if (hasStopped) return fail({ kind: "conflict" });
  return fail(gitFailure("rebase", repo.directory, run.value.stderr));
}

async function undo(repo: CloneRepo, head: Oid): Promise<Result<void, GitFailure>> {
  await repo.git.run(["rebase", "--abort"]);
  if (unfinishedOperation(repo) === undefined) return ok(undefined);
  const ended = endUnfinished(repo);
  return ended.ok ? checkOutForced(repo, head) : ended;
}

const REBASE_OPTIONS = [
  "--quiet",
  "--merge",
  "--no-autostash",
  "--no-fork-point",
  "--no-gpg-sign",
  "--no-verify",
  "--no-rerere-autoupdate",
  "--empty=drop",
];

/**
 * Undoes a rebase by wisp that was killed. It started from committed work, so whatever it left in the work tree is
 * debris: files of the hub's commits and of ours, written before the index listed them. Checking out first one and
 * then the other removes both kinds, and keeps what was untracked before.
 */
export async function undoOwnRebase(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const { files } = repo.context;
  const onto = oidInFile(files, stateOf(repo, "onto"));
  const began = oidInFile(files, stateOf(repo, "orig-head"));
  const tip = await refOf(repo, `refs/heads/${repo.branch}`);
  if (onto === undefined || began === undefined || tip === undefined) return ok(undefined);
  if (!(await isOntoHub(repo, onto, began))) return ok(undefined);
  const there = await repo.git.must(["checkout", "-q", "-f", "--detach", onto, "--"]);
  if (!there.ok) return there;
  const ended = endUnfinished(repo);
  if (!ended.ok) return ended;
  // The branch has the original commits or, if the rebase was killed at its very end, the rebased ones.
  return checkOutForced(repo, tip);
}

/** An engine may rebase its own commits, but it has no access to hub commits that they lack. */
async function isOntoHub(repo: CloneRepo, onto: Oid, began: Oid): Promise<boolean> {
  if (repo.context.directories.kindOf(stateOf(repo, "autostash")) !== undefined) return false;
  if (onto !== (await refOf(repo, HUB_REF))) return false;
  return !(await isAncestorIn(repo, onto, began));
}

function stateOf(repo: CloneRepo, name: string): string {
  return join(repo.location.gitDirectory, "rebase-merge", name);
}
