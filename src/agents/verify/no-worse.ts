import type { VerifyResult } from "../../session/state/builder-state.ts";

/**
 * Whether a red verify is no worse than another one: nothing fails that did not fail there. Where no failing tests could
 * be told before, nothing says so, and it is worse, unless a person has said that this counts as no worse; where they
 * could, a run that names none did not get as far as that one.
 *
 * @param isRedAccepted whether a person has accepted red against red without names
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
