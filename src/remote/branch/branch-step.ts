import type { Oid } from "../../base/oid.ts";
import type { BranchApart } from "../../git/repository/branch-apart.ts";

/** What is due between a session's branch here and the one elsewhere. */
export type BranchStep =
  /** Both are at this commit; undefined: nothing is known of the one elsewhere. */
  | { readonly kind: "same"; readonly at: Oid | undefined }
  /** The branch here follows the one elsewhere. */
  | { readonly kind: "follow" }
  /** A person's commits here, after `from`, go there. */
  | { readonly kind: "send"; readonly from: Oid }
  /** Nothing moves before a person has done something. */
  | { readonly kind: "wait"; readonly why: "checked-out" | "diverged" };

/**
 * Decides which of the two branches moves. Only commits are ever added. What somebody took off the branch elsewhere is
 * not put back, though the branch here still has it.
 */
export function branchStep(apart: BranchApart): BranchStep {
  const { there, relation, isSetBack, isCheckedOut } = apart;
  if (there === undefined) return { kind: "same", at: undefined };
  switch (relation) {
    case "same":
      return { kind: "same", at: there };
    case "behind":
      return isCheckedOut ? { kind: "wait", why: "checked-out" } : { kind: "follow" };
    case "ahead":
      return isSetBack ? { kind: "wait", why: "diverged" } : { kind: "send", from: there };
    case "apart":
      return { kind: "wait", why: "diverged" };
  }
}
