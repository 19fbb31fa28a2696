import { NARROWED_REPEATS_MAX, SUITE_REPEATS_MAX } from "../../base/look-limits.ts";
import type { NarrowedTests } from "../narrow/judge-narrowed.ts";

/** The repeated runs of the tests that failed in the first red look, and of nothing else. */
export interface NarrowedRuns {
  /** Whether the runner can be made to run those tests alone. */
  readonly canNarrow: boolean;
  readonly runs: readonly NarrowedTests[];
}

/** No test was run alone, and none can be. */
export const NOT_NARROWED: NarrowedRuns = { canNarrow: false, runs: [] };

/** What is run next to confirm a red look: some tests alone, the whole suite, or nothing more. */
export type NextRepeat = { readonly only: readonly string[] } | "whole" | "enough";

/**
 * What confirms a red look. The tests that failed are run alone until each has passed once; if one did, the whole suite is
 * repeated, since a test may fail only in company; so it is where a test cannot be run alone, or where the output of such a
 * run does not say what became of it. Pure.
 *
 * @param reds what failed in each red look at the whole suite, in order; undefined if a look names no test
 */
export function nextRepeat(
  reds: readonly (readonly string[] | undefined)[],
  { canNarrow, runs }: NarrowedRuns,
): NextRepeat {
  const whole = reds.length <= SUITE_REPEATS_MAX ? "whole" : "enough";
  const [failing] = reds;
  const isSaid = runs.every(({ unsaid }) => unsaid.length === 0);
  if (!canNarrow || !isSaid || failing === undefined) return whole;
  if (reds.length > 1) return whole;
  const passed = passedAlone(runs);
  const only = failing.filter((name) => !passed.has(name));
  if (only.length > 0 && runs.length < NARROWED_REPEATS_MAX) return { only };
  return passed.size > 0 ? "whole" : "enough";
}

/** The tests that passed in one of the runs. */
export function passedAlone(runs: readonly NarrowedTests[]): ReadonlySet<string> {
  return new Set(runs.flatMap(({ passed }) => passed));
}
