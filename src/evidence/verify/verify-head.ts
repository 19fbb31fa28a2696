import type { Oid } from "../../base/oid.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { verifyKey, type VerifyResult } from "../../session/state/builder-state.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { commandKey } from "./command-key.ts";
import { isNoWorseThan } from "./compare-verify.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { outputTail, verifyCommit } from "./verify-commit.ts";

/** The part of a verify result that the tester compares. */
type ComparedResult = Pick<VerifyResult, "outcome" | "failing" | "tally" | "output">;

/** Why the result of verify is unknown. */
export type VerifyUnknown =
  | { readonly kind: "stopped" }
  /** Verify could not run. This proves nothing about the commit. */
  | { readonly kind: "failed"; readonly reason: string };

/** The result of verify at a commit and, where it is worse than at the base, how it ended. */
export type VerifiedHead = HeadVerified | VerifyUnknown;

export interface HeadVerified {
  readonly kind: "verified";
  readonly verify: FinalVerify;
  /** If verify is red: the failing tests, as far as they are known, and the end of the output, cleaned. */
  readonly failing: readonly string[];
  readonly tail: string;
}

/** The id of the bug that verify is red at the end: one per session, whatever fails. */
export function redVerifyId({ verify }: Pick<SessionJson, "verify">): string {
  const anchor = `verify ${commandKey(verify)}`;
  return findingId({
    kind: "bug",
    category: VERIFY_CATEGORY,
    file: undefined,
    anchor,
    brief: anchor,
  });
}

/** The category of that bug. */
export const VERIFY_CATEGORY = "Verify";

/**
 * Runs verify at a commit at which the session may end, and compares it with the session's base: the session is
 * not to blame for what was red before it began.
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
  const after = await verifyResultAt(context, state, { unit, at });
  if (after.kind !== "checked") return after;
  const { failing = [] } = after;
  const result = { kind: "verified", failing, tail: outputTail(context, after.output) } as const;
  if (after.outcome === "passed") return { ...result, verify: "passed", tail: "" };
  const before = await verifyResultAt(context, state, { unit, at: session.base });
  if (before.kind !== "checked") return before;
  const compared = { before, after, range: { start: session.base, end: at } };
  if (await isNoWorseThan(context, state.builder, compared)) {
    return { ...result, verify: "asbase" };
  }
  const isExcused = state.tester.dismissed.has(redVerifyId(session));
  return { ...result, verify: isExcused ? "excused" : "red" };
}

/**
 * The result of verify at a commit. A recorded result of the builder or the tester for the same tree, command
 * and setup is reused if it passed, if it is from the same unit, or if it is of the base, which never changes.
 */
export async function verifyResultAt(
  context: RoleContext<"tester">,
  { builder, tester }: SessionState,
  { unit, at }: { readonly unit: string; readonly at: Oid },
): Promise<(ComparedResult & { readonly kind: "checked" }) | VerifyUnknown> {
  const { session, journal, trees } = context;
  const { tree, setup } = await trees.factsAt(at);
  const command = commandKey(session.verify);
  const byBuilder = builder.verified.get(verifyKey(command, tree));
  const isKnown = byBuilder?.outcome === "passed" || at === session.base;
  if (byBuilder?.setup === setup && isKnown) return { kind: "checked", ...byBuilder };
  const key = { command, tree, tests: undefined };
  const own = tester.ran.get(ranKey(key));
  if (own?.setup === setup && own.outcome !== "unstarted") {
    const isGood = own.outcome === "passed" || own.unit === unit || at === session.base;
    const { outcome, failing, tally, output } = own;
    if (isGood) return { kind: "checked", outcome, failing, tally, output };
  }
  const end = await verifyCommit(context, at);
  if (end.kind === "stopped") return end;
  const { outcome, failing, tally, output, reason } = end;
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
    tally,
    output,
  });
  return { kind: "checked", outcome, failing, tally, output };
}

/**
 * Compares verify at a commit of tests with verify at the commit before it; `reason` is set where it is worse.
 */
export async function worseThanBefore(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at, before }: { readonly unit: string; readonly at: Oid; readonly before: Oid },
): Promise<{ readonly kind: "checked"; readonly reason: string | undefined } | VerifyUnknown> {
  if (context.session.verify.length === 0) return { kind: "checked", reason: undefined };
  const after = await verifyResultAt(context, state, { unit, at });
  if (after.kind !== "checked") return after;
  if (after.outcome === "passed") return { kind: "checked", reason: undefined };
  const without = await verifyResultAt(context, state, { unit, at: before });
  if (without.kind !== "checked") return without;
  const compared = { before: without, after, range: { start: before, end: at } };
  if (await isNoWorseThan(context, state.builder, compared)) {
    return { kind: "checked", reason: undefined };
  }
  const names = (after.failing ?? []).slice(0, NAMES_MAX).join(", ");
  return {
    kind: "checked",
    reason: `verify fails with these tests${names === "" ? "" : `: ${names}`}`,
  };
}

/** At most this many failing tests are named in a sentence. */
const NAMES_MAX = 5;
