import type { VerifyResult } from "../fs-protocol/builder-state.ts";

/**
 * Whether a red verify is no worse than another one: nothing fails that did not fail there. Where no
 * failing tests could be told before, red against red is no worse, since nothing says so; where they
 * could, a run that names none did not get as far as that one.
 */
export function isNoWorse(
  after: Pick<VerifyResult, "outcome" | "failing">,
  before: Pick<VerifyResult, "outcome" | "failing">,
): boolean {
  if (after.outcome === "passed") return true;
  if (before.outcome === "passed") return false;
  if (before.failing === undefined) return true;
  if (after.failing === undefined) return false;
  const known = new Set(before.failing);
  return after.failing.every((name) => known.has(name));
}
