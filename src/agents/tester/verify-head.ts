import type { Oid } from "../../base/oid.ts";
import { isRedAccepted } from "../../session/state/base-look.ts";
import { verifyKey, type VerifyResult } from "../../session/state/builder-state.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { commandKey } from "../verify/command-key.ts";
import { isNoWorse } from "../verify/no-worse.ts";
import type { RoleContext } from "../work/role-context.ts";
import { outputTail, verifyCommit } from "../verify/verify-commit.ts";
import { redVerifyId } from "./red-verify.ts";

/** A verify result as the tester looks at it. */
type Seen = Pick<VerifyResult, "outcome" | "failing" | "output">;

/** Why it is not known what verify says. */
export type VerifyUnknown =
  | { readonly kind: "stopped" }
  /** It could not be found out: that says nothing of the commit. */
  | { readonly kind: "failed"; readonly reason: string };

/** What verify says of a commit, and where it is worse than the base, how it ended. */
export type VerifiedHead =
  | {
      readonly kind: "verified";
      readonly verify: FinalVerify;
      /** Where it is red: failing tests, as far as they could be told, and the end of the output. */
      readonly failing: readonly string[];
      readonly tail: string;
    }
  | VerifyUnknown;

/**
 * What verify says of a commit that the session may end at: compared with the session's base, since what was red
 * before anybody did anything is nobody's work.
 */
export async function verifyHead(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at }: { readonly unit: string; readonly at: Oid },
): Promise<VerifiedHead> {
  const { session } = context;
  if (session.verify.length === 0) {
    return { kind: "verified", verify: "nosuite", failing: [], tail: "" };
  }
  const after = await lookAtVerify(context, state, { unit, at });
  if (after.kind !== "seen") return after;
  const { failing = [] } = after;
  const told = { kind: "verified", failing, tail: outputTail(context, after.output) } as const;
  if (after.outcome === "passed") return { ...told, verify: "passed", tail: "" };
  const before = await lookAtVerify(context, state, { unit, at: session.base });
  if (before.kind !== "seen") return before;
  if (isNoWorse(after, before, isRedAccepted(state.builder))) return { ...told, verify: "asbase" };
  const isExcused = state.tester.dismissed.has(redVerifyId(session));
  return { ...told, verify: isExcused ? "excused" : "red" };
}

/**
 * Verify at a commit, by what is on record where that counts: the builder's or the tester's own result for the same
 * tree, command and setup, if it passed, or is of the same unit, or is of the base, which nothing changes any more.
 */
export async function lookAtVerify(
  context: RoleContext<"tester">,
  { builder, tester }: SessionState,
  { unit, at }: { readonly unit: string; readonly at: Oid },
): Promise<(Seen & { readonly kind: "seen" }) | VerifyUnknown> {
  const { session, journal, trees } = context;
  const { tree, setup } = await trees.factsAt(at);
  const command = commandKey(session.verify);
  const byBuilder = builder.verified.get(verifyKey(command, tree));
  const isKnown = byBuilder?.outcome === "passed" || at === session.base;
  if (byBuilder?.setup === setup && isKnown) return { kind: "seen", ...byBuilder };
  const key = { command, tree, tests: undefined };
  const own = tester.ran.get(ranKey(key));
  if (own?.setup === setup && own.outcome !== "unstarted") {
    const isGood = own.outcome === "passed" || own.unit === unit || at === session.base;
    const { outcome, failing, output } = own;
    if (isGood) return { kind: "seen", outcome, failing, output };
  }
  const end = await verifyCommit(context, at);
  if (end.kind === "stopped") return end;
  const { outcome, failing, output, reason } = end;
  if (!end.isOfCommit) return { kind: "failed", reason: reason ?? "" };
  journal.append({
    kind: "command.result",
    time: journal.time(),
    unit,
    at,
    ...key,
    of: "verify",
    setup,
    outcome,
    reason,
    failing: failing === undefined ? undefined : [...failing],
    output,
  });
  return { kind: "seen", outcome, failing, output };
}

/**
 * Whether verify is worse at a commit of tests than at the commit before it, and then why, in words.
 */
export async function looksWorse(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at, before }: { readonly unit: string; readonly at: Oid; readonly before: Oid },
): Promise<{ readonly kind: "seen"; readonly reason: string | undefined } | VerifyUnknown> {
  if (context.session.verify.length === 0) return { kind: "seen", reason: undefined };
  const after = await lookAtVerify(context, state, { unit, at });
  if (after.kind !== "seen") return after;
  if (after.outcome === "passed") return { kind: "seen", reason: undefined };
  const without = await lookAtVerify(context, state, { unit, at: before });
  if (without.kind !== "seen") return without;
  if (isNoWorse(after, without, isRedAccepted(state.builder)))
    return { kind: "seen", reason: undefined };
  const names = (after.failing ?? []).slice(0, NAMES_MAX).join(", ");
  return {
    kind: "seen",
    reason: `verify fails with these tests${names === "" ? "" : `: ${names}`}`,
  };
}

/** So many failing tests have room in a sentence. */
const NAMES_MAX = 5;
