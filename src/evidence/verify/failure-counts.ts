import type { VerifyResult } from "../../session/state/builder-state.ts";

/** How often each test failed, by its name in the records. */
export type FailureCounts = ReadonlyMap<string, number>;

/** The numbers of one result; none if it names no test. */
export function failureCounts({
  failing,
  tally,
}: Pick<VerifyResult, "failing" | "tally">): FailureCounts {
  return new Map((failing ?? []).map((name, at) => [name, tally?.times?.[at] ?? 1]));
}

/** For each test the largest number of several results. */
export function mostFailures(all: readonly FailureCounts[]): FailureCounts {
  const most = new Map<string, number>();
  for (const [name, count] of all.flatMap((counts) => [...counts])) {
    most.set(name, Math.max(count, most.get(name) ?? 0));
  }
  return most;
}

/** The tests that failed more often than they are allowed to. */
export function failuresBeyond(counts: FailureCounts, allowed: FailureCounts): readonly string[] {
  return [...counts].flatMap(([name, count]) => (count > (allowed.get(name) ?? 0) ? [name] : []));
}
