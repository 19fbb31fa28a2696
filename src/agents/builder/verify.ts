import type { Oid } from "../../base/oid.ts";
import { isRedAccepted } from "../../session/state/base-look.ts";
import {
  verifyKey,
  type BuilderFold,
  type VerifyResult,
} from "../../session/state/builder-state.ts";
import { commandKey } from "../verify/command-key.ts";
import type { RoleContext } from "../work/role-context.ts";
import { outputTail, verifyCommit } from "../verify/verify-commit.ts";
import { isNoWorse } from "../verify/no-worse.ts";

/** What verify says of a commit, as the builder needs it. */
export type Verified =
  | (VerifyResult & {
      readonly kind: "verified";
      /** False where verify could not be run at all: its setup failed, or the tree could not be made. */
      readonly isOfCommit: boolean;
    })
  | { readonly kind: "stopped" };

/**
 * The project's own verify command, run by wisp in a verify tree, on nothing but the commit. Results are
 * remembered by tree, command and setup, in the journal: the same is not run twice, unless it was red and is
 * `judged` again: a test that failed by chance must not be held against it for ever (R24).
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
  // A result without the setup that it was made with was made elsewhere, where engines write.
  const isComparable = known?.setup === setup;
  const isGoodFor = known?.outcome === "passed" || purpose === "reference";
  if (known !== undefined && isComparable && isGoodFor) {
    return { kind: "verified", ...known, isOfCommit: true };
  }
  const end = await verifyCommit(context, at);
  if (end.kind === "stopped") return end;
  const { outcome, failing, output, isOfCommit } = end;
  const result = { outcome, failing, output, setup, at };
  const verified: Verified = { kind: "verified", ...result, isOfCommit };
  // What says nothing of the commit is run again the next time.
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
    output,
  });
  return { ...verified, setup };
}

/** `no`: with the end of the output, for the next prompt. */
export type Acceptance =
  | { readonly kind: "yes" }
  | { readonly kind: "stopped" }
  | { readonly kind: "no"; readonly tail: string };

/**
 * Whether `at` is no worse than one of `references`, which are looked at only when it is red. The last
 * one is what was there right before: that it was red, too, excuses a red that names no tests, if a person has
 * accepted such a base; that an earlier one was does not.
 */
export async function isAcceptable(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  references: readonly Oid[],
): Promise<Acceptance> {
  const after = await verifyAt(context, fold, at, "judged");
  const accepted = isRedAccepted(fold);
  if (after.kind === "stopped") return after;
  if (after.outcome === "passed") return { kind: "yes" };
  for (const reference of new Set(references)) {
    const before = await verifyAt(context, fold, reference);
    if (before.kind === "stopped") return before;
    const isComparable = before.failing !== undefined || reference === references.at(-1);
    if (isComparable && isNoWorse(after, before, accepted)) return { kind: "yes" };
  }
  return { kind: "no", tail: outputTail(context, after.output) };
}
