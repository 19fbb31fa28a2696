import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { branchCheckedOutAt, deleteBranch, type BranchPlace } from "./branches.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { gitIn } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";

/** What became of a branch that was given up. */
export type PutAway =
  /** It is gone, and its commits are held by the reference. */
  | { readonly kind: "kept"; readonly ref: string }
  /** Somebody looks at it in this work tree, so that it stays where it is. */
  | { readonly kind: "checked-out"; readonly ref: string; readonly directory: string }
  /** There is no such branch: it was put away before, or a person removed it. */
  | { readonly kind: "gone"; readonly ref: string | undefined };

/**
 * Puts a branch away: its commits under `refs/wisp/rescue/<session>/abandoned`, then the branch is removed,
 * unless it is checked out or has moved meanwhile. Twice is the same as once.
 */
export async function putAwayBranch(
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
  session: string,
): Promise<Result<PutAway, GitFailure>> {
  const { directory, branch } = place;
  const git = gitIn(directory, userEnvironment(context.environment, directory));
  const head = await askForRef(git, `refs/heads/${branch}`);
  const first = `refs/wisp/rescue/${session}/abandoned`;
  const before = await askForRef(git, first);
  if (head === undefined) {
    return ok({ kind: "gone", ref: before === undefined ? undefined : first });
  }
  assertOids(head);
  const ref = before === undefined || before === head ? first : `${first}-${head.slice(0, 12)}`;
  if ((await askForRef(git, ref)) !== head) {
    const made = await makeRef(git, { ref, head });
    if (!made.ok) return made;
  }
  const checkedOut = await branchCheckedOutAt(context, place);
  if (checkedOut !== undefined) return ok({ kind: "checked-out", ref, directory: checkedOut });
  const removed = await deleteBranch(context, place, head);
  if (!removed.ok) return removed;
  if (removed.value) return ok({ kind: "kept", ref });
  return fail(gitFailure("branch", directory, "the branch has moved meanwhile"));
}

/** An empty old value: a reference of that name is never moved. */
async function makeRef(
  git: ReturnType<typeof gitIn>,
  { ref, head }: { readonly ref: string; readonly head: Oid },
): Promise<Result<void, GitFailure>> {
  const made = await git.must(["update-ref", "-m", "kept by wisp", ref, head, ""]);
  return made.ok ? ok(undefined) : made;
}
