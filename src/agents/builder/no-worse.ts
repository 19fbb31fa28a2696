import type { VerifyResult } from "../../fs-protocol/builder-state.ts";

/**
 * Whether a red verify is no worse than another one: nothing fails that did not fail there. Where
 * failing tests could not be parsed on either side, red against red is no worse, since nothing says so.
 */
export function isNoWorse(
  after: Pick<VerifyResult, "outcome" | "failing">,
  before: Pick<VerifyResult, "outcome" | "failing">,
): boolean {
  if (after.outcome === "passed") return true;
  if (before.outcome === "passed") return false;
  if (after.failing === undefined || before.failing === undefined) return true;
  const known = new Set(before.failing);
  return after.failing.every((name) => known.has(name));
}
