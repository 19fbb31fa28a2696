import type { Oid } from "../../base/oid.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { verifyKey, type VerifyResult } from "../../session/state/builder-state.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { isBaseExcuse } from "./base-licence.ts";
import { commandKey } from "./command-key.ts";
import { isNoWorseThan } from "./compare-verify.ts";
import { mostRan } from "../../session/rules/nothing-verified.ts";
import { note } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { SuiteBefore } from "../look/judge-run.ts";
import { firstNetwork } from "../look/kept-network.ts";
import { isOfMachine } from "../look/settle-looks.ts";
import { settledLook, type LooksWanted, type SettledLook } from "../look/settled-look.ts";
import { asksAt, type AsksOfUnknown } from "../look/unknown-question.ts";
import { failureLine, type RedOutput } from "./failure-report.ts";
import { redOutput } from "./red-output.ts";
import { unsteadyWords } from "./verify-words.ts";

/** The part of a verify result that the tester compares. */
type ComparedResult = Pick<VerifyResult, "outcome" | "failing" | "tally" | "output" | "ran"> & {
  /** Why the looks say nothing about the commit, where it counts as failed because the commit may be the cause. */
  readonly unknown?: string | undefined;
};

/** Why the result of verify is unknown. */
export type VerifyUnknown =
  | { readonly kind: "stopped" }
  /** The looks are unknown: they prove nothing about the commit. A person is asked. */
  | AsksOfUnknown;

/** The result of verify at a commit and, where it is worse than at the base, how it ended. */
export type VerifiedHead = HeadVerified | VerifyUnknown;

export interface HeadVerified {
  readonly kind: "verified";
  readonly verify: FinalVerify;
  /** If verify is red: what fails, as far as that is known. */
  readonly red?: RedOutput;
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
    return { kind: "verified", verify: "nosuite" };
  }
  const isWorse = isWorseThan(context, state, { unit, start: session.base, end: at });
  const after = await verifyResultAt(context, state, { unit, at, isWorse });
  if (after.kind !== "checked") return after;
  if (after.outcome === "passed") {
    return { kind: "verified", verify: mostRan([after]) === 0 ? "nosuite" : "passed" };
  }
  const before = await verifyAtBase(context, state, unit);
  if (before !== undefined && before.kind !== "checked") return before;
  const result = { kind: "verified", red: redOutput(context, after, before?.failing) } as const;
  const isExcuse = before !== undefined && (await isBaseExcuse(context, state.builder));
  const range = { start: session.base, end: at };
  if (isExcuse && (await isNoWorseThan(context, state.builder, { before, after, range }))) {
    return { ...result, verify: "asbase" };
  }
  const isDismissed = state.tester.dismissed.has(redVerifyId(session));
  return { ...result, verify: isDismissed ? "excused" : "red" };
}

/** Undefined if the commands were adopted later: what they do at the base tells nothing. */
async function verifyAtBase(context: RoleContext<"tester">, state: SessionState, unit: string) {
  if (state.builder.adopted !== undefined) return undefined;
  return verifyResultAt(context, state, { unit, at: context.session.base });
}

/** Whether a red look at a commit is worse than verify at another one. What cannot be compared counts as worse. */
function isWorseThan(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, start, end }: { readonly unit: string; readonly start: Oid; readonly end: Oid },
): LooksWanted["isDeciding"] {
  return async ({ failing, tally }) => {
    if (start === context.session.base && !(await isBaseExcuse(context, state.builder)))
      return true;
    const before = await verifyResultAt(context, state, { unit, at: start });
    if (before.kind === "stopped") return "stopped";
    if (before.kind !== "checked") return true;
    const after = { outcome: "failed", failing, tally } as const;
    return !(await isNoWorseThan(context, state.builder, { before, after, range: { start, end } }));
  };
}

/** A commit to verify, and the unit that does so. */
interface VerifiedAt {
  readonly unit: string;
  readonly at: Oid;
  /** Whether a red look counts against the commit, so that it has to be confirmed. Absent: it always counts. */
  readonly isWorse?: LooksWanted["isDeciding"] | undefined;
}

/**
 * The result of verify at a commit. A recorded result of the builder or the tester for the same tree, command
 * and setup is reused if it passed, if it is from the same unit, or if it is of the base, which never changes.
 */
export async function verifyResultAt(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at, isWorse }: VerifiedAt,
): Promise<(ComparedResult & { readonly kind: "checked" }) | VerifyUnknown> {
  const { session, journal, trees } = context;
  const { builder, tester } = state;
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
  const isDeciding = isWorse ?? (() => Promise.resolve(true));
  const first = firstNetwork(context, builder, at);
  const look = await settledLook(context, { at, before: beforeOf(state), first, isDeciding });
  if (look.kind === "stopped") return look;
  if (look.kind === "unknown") return unknownAt(context, look, { at, setup });
  const { reason, output, looks, split, tally, ran } = look;
  const outcome = look.kind === "red" ? "failed" : "passed";
  const failing = look.kind === "red" ? look.failing : undefined;
  journal.append({
    kind: "command.result",
    time: journal.time(),
    ...{ unit, at, ...key, of: "verify", setup, outcome, reason },
    failing: failing === undefined ? undefined : [...failing],
    tally,
    output,
    ...(looks > 1 ? { looks } : {}),
    ...(split.length > 0 ? { split: [...split] } : {}),
  });
  if (split.length > 0) note(context, unsteadyWords(at, split));
  return { kind: "checked", outcome, failing, tally, output, ran };
}

/**
 * What verify did at the session's base or, if it was adopted later, where it passed first, as the builder recorded it, and the most tests that ran there or where it
 * passed since.
 */
function beforeOf({ builder: { baseline, verified } }: SessionState): SuiteBefore | undefined {
  const passed = [...verified.values()].filter(({ outcome }) => outcome === "passed");
  const first = baseline ?? passed[0];
  if (first === undefined) return undefined;
  return { tookMs: first.took, ran: mostRan([first, ...passed]), skipped: first.tally?.skipped };
}

/** The commit may be the reason, if the same commands worked at the base; otherwise a person is asked. */
async function unknownAt(
  { trees, session }: RoleContext<"tester">,
  look: Extract<SettledLook, { readonly kind: "unknown" }>,
  { at, setup }: { readonly at: Oid; readonly setup: string },
): Promise<(ComparedResult & { readonly kind: "checked" }) | VerifyUnknown> {
  const base = await trees.factsAt(session.base);
  if (at === session.base || isOfMachine(look, base.setup === setup)) {
    return asksAt(at, look.reason);
  }
  const unnamed = { failing: undefined, tally: undefined };
  const { output, reason } = look;
  return { kind: "checked", outcome: "failed", ...unnamed, output, unknown: reason };
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
  const isWorse = isWorseThan(context, state, { unit, start: before, end: at });
  const after = await verifyResultAt(context, state, { unit, at, isWorse });
  if (after.kind !== "checked") return after;
  if (after.outcome === "passed") return { kind: "checked", reason: undefined };
  // What says nothing blames no test: they stay unpublished, with what is known.
  if (after.unknown !== undefined) {
    const reason = `what verify says with these tests is not known: ${after.unknown}`;
    return { kind: "checked", reason };
  }
  const without = await verifyResultAt(context, state, { unit, at: before });
  if (without.kind !== "checked") return without;
  const compared = { before: without, after, range: { start: before, end: at } };
  if (await isNoWorseThan(context, state.builder, compared)) {
    return { kind: "checked", reason: undefined };
  }
  const what = failureLine(redOutput(context, after, without.failing));
  return { kind: "checked", reason: `verify fails with these tests: ${what}` };
}
