import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { headOf, mustHead, type CloneRepo } from "./clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { reattach } from "./reattach.ts";
import { clearGone } from "../submodules/clear-submodules.ts";
import { stageAll, type Staged } from "./stage-all.ts";
import { isPlainIndex, readWorkTreeState, unfinishedOperation } from "../repository/work-tree.ts";

/** Commits everything that is not ignored; returns `undefined` if there is nothing to commit. */
export async function commitAll(
  repo: CloneRepo,
  message: string,
): Promise<Result<Oid | undefined, GitFailure>> {
  const staged = await stageWork(repo);
  if (!staged.ok) return staged;
  if (staged.value === "clean") repo.memory.settledAt = await headOf(repo);
  if (staged.value !== "staged") return ok(undefined);
  const args = ["commit", "--quiet", "--no-verify", "--cleanup=whitespace", "--file=-"];
  const committed = await repo.git.run(args, { stdin: messageText(message) });
  if (!committed.ok) return committed;
  if (committed.value.exitCode === 0) return mustHead(repo);
  // git exits with 1 both when it refuses and when the staged changes cancel out. The index tells
  // which.
  const compared = await repo.git.ask(["diff-index", "--cached", "--quiet", "HEAD", "--"]);
  if (compared !== undefined) return ok(undefined);
  return fail(gitFailure("commit", repo.directory, committed.value.stderr));
}

/**
 * Replaces all commits since `base`, and any uncommitted work, with one commit on `base`. The
 * branch moves in one step, so a crash leaves either the old commits or the new one.
 */
export async function squashSince(
  repo: CloneRepo,
  base: Oid,
  message: string,
): Promise<Result<Oid | undefined, GitFailure>> {
  assertOids(base);
  const staged = await stageWork(repo);
  if (!staged.ok) return staged;
  const head = await mustHead(repo);
  if (!head.ok) return head;
  if (staged.value === "clean" && head.value === base && isPlainIndex(repo)) {
    repo.memory.settledAt = base;
    return ok(undefined);
  }
  const [tree, before] = await Promise.all([
    repo.git.must(["write-tree"]),
    repo.git.must(["rev-parse", "--verify", `${base}^{tree}`]),
  ]);
  if (!tree.ok) return tree;
  if (!before.ok) return before;
  const isSame = before.value.trim() === tree.value.trim();
  const args = ["commit-tree", tree.value.trim(), "-p", base, "-F", "-"];
  const stdin = messageText(message);
  const squashed = isSame ? ok(base) : await repo.git.oid(args, { stdin });
  if (!squashed.ok) return squashed;
  const moved = await repo.git.act(["update-ref", "HEAD", squashed.value, head.value]);
  if (!moved.ok) return moved;
  return ok(isSame ? undefined : squashed.value);
}

/** Stages everything on the session's branch. */
async function stageWork(repo: CloneRepo): Promise<Result<Staged, GitFailure>> {
  const refused = await refuseUnfinished(repo);
  if (!refused.ok) return refused;
  const attached = await reattach(repo);
  if (!attached.ok) return attached;
  const cleared = await clearGone(repo);
  if (!cleared.ok) return cleared;
  return stageAll(repo, {
    leaves: async () => {
      const drivers = await repo.hub.filters(true);
      if (!drivers.ok) return drivers;
      // git in the clone runs Git LFS itself (`clone-config.ts`).
      const { hasLfs } = await repo.hub.cloneSettings();
      return ok(drivers.value.ofMachine.filter((name) => name !== "lfs" || !hasLfs));
    },
  });
}

/** Staging everything in the middle of a merge or rebase would commit the conflict markers. */
async function refuseUnfinished(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const operation = unfinishedOperation(repo);
  if (operation === undefined) return ok(undefined);
  const state = await readWorkTreeState(repo);
  if (!state.ok) return state;
  if (operation === "merge" && !state.value.hasConflicts) return ok(undefined);
  const detail = `a ${operation} was left unfinished in the clone`;
  return fail(gitFailure("commit", repo.directory, detail));
}

/**
 * Ensures that a commit message is not empty and has no NUL, the only character that git rejects.
 */
function messageText(message: string): string {
  const text = message.replaceAll("\0", "");
  return text.trim() === "" ? "Update" : text;
}
