import type { VerifyResult } from "../../session/state/builder-state.ts";
import { failureCounts, failuresBeyond } from "./failure-counts.ts";

/** What is compared of a result of verify. */
export type ComparedVerify = Pick<VerifyResult, "outcome" | "failing" | "tally">;

/** What two results cannot tell by themselves. */
export interface ComparedBy {
  /** Whether a person accepted a red verify after a red one that named no tests. */
  readonly isRedAccepted: boolean;
  /** How many tests the range between both removed; undefined if that cannot be told. */
  readonly removed?: number | undefined;
}

/**
 * Whether a verify is no worse than an earlier one: no test fails more often than before, the runners count no more
 * failed tests than before, whatever these are called, and they count as many passed ones as before, without those
 * that the range removed.
 *
 * If the earlier red verify named no tests, the later one counts as worse, unless a person accepted that. If
 * only the later one names none, it is worse, because it failed at an earlier point. Results whose names an older
 * wisp read are compared by these names alone, as they were then.
 */
export function isNoWorse(
  after: ComparedVerify,
  before: ComparedVerify,
  { isRedAccepted, removed }: ComparedBy,
): boolean {
  if (after.outcome === "passed") return true;
  if (before.outcome === "passed") return false;
  if (before.failing === undefined) return isRedAccepted;
  if (after.failing === undefined) return false;
  const isByFirstRules = before.tally === undefined || before.tally.rules !== after.tally?.rules;
  if (isByFirstRules) return isAmong(after.failing, before.failing);
  const totals = compareTotals(after, before, removed);
  const isCut = after.tally.isCut === true || before.tally.isCut === true;
  // Of more names than are known only the numbers can be compared.
  if (isCut) return totals === "no-worse";
  const counts = { before: failureCounts(before), after: failureCounts(after) };
  return totals !== "worse" && failuresBeyond(counts.after, counts.before).length === 0;
}

function isAmong(names: readonly string[], known: readonly string[]): boolean {
  const all = new Set(known);
  return names.every((name) => all.has(name));
}

/** `unknown`: the runners do not print both numbers. */
function compareTotals(
  { tally: after }: ComparedVerify,
  { tally: before }: ComparedVerify,
  removed: number | undefined,
): "worse" | "no-worse" | "unknown" {
  const failed = difference(after?.failed, before?.failed);
  const passed = difference(before?.passed, after?.passed);
  if (failed !== undefined && failed > 0) return "worse";
  if (passed !== undefined && removed !== undefined && passed > removed) return "worse";
  return failed === undefined || passed === undefined || removed === undefined
    ? "unknown"
    : "no-worse";
}

function difference(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one - other;
}
