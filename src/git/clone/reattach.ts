import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { headOf, isAncestorIn, isAttached, refOf, type CloneRepo } from "./clone-repo.ts";

/**
 * Moves HEAD back to the session's branch if an engine left it elsewhere, without touching
 * uncommitted work. The branch moves to the commit that is checked out, unless that is merely an
 * older commit of the branch. If the two diverged, the old tip of the branch is kept under
 * `refs/wisp/left/`.
 */
export async function reattach(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  if (isAttached(repo)) return ok(undefined);
  const { branch, git } = repo;
  const tip = await refOf(repo, `refs/heads/${branch}`);
  const head = await headOf(repo);
  const side = await sideToKeep(repo, head, tip);
  // The branch has no commits, so only HEAD's name needs to change.
  if (side === "name") return git.act(["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
  if (side === "branch") return git.act([...CHECKOUT, branch, "--"]);
  if (side === "both" && tip !== undefined) {
    const kept = await git.must(["update-ref", `refs/wisp/left/${tip}`, tip]);
    if (!kept.ok) return kept;
  }
  return git.act([...CHECKOUT, "-B", branch]);
}

/** A work tree that an engine added to its clone may hold the branch. */
const CHECKOUT = ["checkout", "-q", "--ignore-other-worktrees"] as const;

/**
 * Which of two commits contains the other and can be used without losing anything; `both` if they
 * diverged.
 */
export async function sideToKeep(
  repo: CloneRepo,
  head: Oid | undefined,
  tip: Oid | undefined,
): Promise<"head" | "branch" | "both" | "name"> {
  if (head === undefined) return "name";
  if (tip === undefined || (await isAncestorIn(repo, tip, head))) return "head";
  return (await isAncestorIn(repo, head, tip)) ? "branch" : "both";
}
