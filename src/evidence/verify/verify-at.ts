import type { Oid } from "../../base/oid.ts";
import {
  verifyKey,
  type BuilderFold,
  type VerifyResult,
} from "../../session/state/builder-state.ts";
import { commandKey } from "./command-key.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { outputTail, verifyCommit } from "./verify-commit.ts";
import { isNoWorseThan } from "./compare-verify.ts";

/** The result of verify at a commit. */
export type Verified =
  | (VerifyResult & {
      readonly kind: "verified";
      /** False if verify could not run at all: its setup failed, or the tree could not be made. */
      readonly isOfCommit: boolean;
    })
  | { readonly kind: "stopped" };

/**
 * Runs the project's own verify command in a verify tree, which holds nothing but the commit. The journal keeps results
 * by tree, command and setup, and the same is not run twice, with one exception: a red commit that is `judged` is run
 * again, so that a test that failed by chance does not count against it for ever (R24).
 */
export async function verifyAt(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  purpose: "judged" | "reference" = "reference",
): Promise<Verified> {
  const { session, journal } = context;
  if (session.verify.length === 0) {
    const nothing = { failing: undefined, output: undefined, isOfCommit: true };
    return { kind: "verified", outcome: "passed", ...nothing };
  }
  const { tree, setup } = await context.trees.factsAt(at);
  const command = commandKey(session.verify);
  const known = fold.verified.get(verifyKey(command, tree));
  // Only a result with the same setup applies. One without a setup ran in a role's clone, where engines write.
  const isComparable = known?.setup === setup;
  const isGoodFor = known?.outcome === "passed" || purpose === "reference";
  if (known !== undefined && isComparable && isGoodFor) {
    return { kind: "verified", ...known, isOfCommit: true };
  }
  const end = await verifyCommit(context, at);
  if (end.kind === "stopped") return end;
  const { outcome, failing, tally, output, isOfCommit } = end;
  const result = { outcome, failing, tally, output, setup, at };
  const verified: Verified = { kind: "verified", ...result, isOfCommit };
  // A result that is not about the commit itself is not kept, so verify runs again the next time.
  if (!isOfCommit) return verified;
  journal.append({
    kind: "verify.result",
    time: journal.time(),
    at,
    tree,
    command,
    setup,
    outcome,
    failing: failing === undefined ? undefined : [...failing],
    tally,
    output,
  });
  return { ...verified, setup };
}

/** Whether a commit is acceptable; `no` has the end of verify's output, for the next prompt. */
export type Acceptance =
  | { readonly kind: "yes" }
  | { readonly kind: "stopped" }
  | { readonly kind: "no"; readonly tail: string };

/**
 * Whether `at` is no worse than one of `references`, which are verified only if it is red. The last reference is the
 * state right before: if it was red without names, too, a red without names is excused, provided that a person has
 * accepted such a base. An earlier reference that was red without names excuses nothing.
 */
export async function isAcceptable(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  references: readonly Oid[],
): Promise<Acceptance> {
  const after = await verifyAt(context, fold, at, "judged");
  if (after.kind === "stopped") return after;
  if (after.outcome === "passed") return { kind: "yes" };
  for (const reference of new Set(references)) {
    const before = await verifyAt(context, fold, reference);
    if (before.kind === "stopped") return before;
    const isComparable = before.failing !== undefined || reference === references.at(-1);
    const compared = { before, after, range: { start: reference, end: at } };
    if (isComparable && (await isNoWorseThan(context, fold, compared))) return { kind: "yes" };
  }
  return { kind: "no", tail: outputTail(context, after.output) };
}
