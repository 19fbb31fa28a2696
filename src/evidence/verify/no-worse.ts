import type { VerifyResult } from "../../session/state/builder-state.ts";

/**
 * Whether a verify is no worse than an earlier one: every test that fails now failed before, too.
 *
 * If the earlier red verify named no tests, the later one counts as worse, unless a person accepted that. If
 * only the later one names none, it is worse, because it failed at an earlier point.
 *
 * @param isRedAccepted whether a person accepted a red verify after a red one that named no tests
 */
export function isNoWorse(
  after: Pick<VerifyResult, "outcome" | "failing">,
  before: Pick<VerifyResult, "outcome" | "failing">,
  isRedAccepted: boolean,
): boolean {
  if (after.outcome === "passed") return true;
  if (before.outcome === "passed") return false;
  if (before.failing === undefined) return isRedAccepted;
  if (after.failing === undefined) return false;
  const known = new Set(before.failing);
  return after.failing.every((name) => known.has(name));
}
