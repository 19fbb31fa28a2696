/** What the work of an earlier session took. */
export interface PastWork {
  /** Tasks of its recorded milestones; above 0. */
  readonly tasks: number;
  /** US dollars of all its turns; undefined if the engine did not report the cost of each. */
  readonly costUsd: number | undefined;
  /** Sum over all turns, in milliseconds. */
  readonly durationMs: number;
}

/** The middle of what earlier sessions took, scaled to a number of tasks. */
export interface CostRange {
  readonly low: number;
  readonly high: number;
  /** The number of earlier sessions that it is taken from; above 0. */
  readonly n: number;
}

/** What a plan is likely to take; undefined where no earlier session tells. */
export interface Estimate {
  /** US dollars. */
  readonly costUsd: CostRange | undefined;
  /** Milliseconds of turns. */
  readonly durationMs: CostRange | undefined;
}

/**
 * Estimates what a number of tasks takes, by what a task took in earlier sessions: plan, review,
 * test and fixes included. With fewer than five sessions the range holds all of them, otherwise the
 * middle three fifths.
 */
export function estimateCost(past: readonly PastWork[], tasks: number): Estimate {
  const costs = past.flatMap(({ costUsd, tasks: of }) =>
    costUsd === undefined ? [] : [costUsd / of],
  );
  return {
    costUsd: rangeOf(costs, tasks),
    durationMs: rangeOf(
      past.map(({ durationMs, tasks: of }) => durationMs / of),
      tasks,
    ),
  };
}

const WHOLE_RANGE_MAX = 4;
const CUT_SHARE = 0.2;

function rangeOf(perTask: readonly number[], tasks: number): CostRange | undefined {
  const sorted = [...perTask].sort((a, b) => a - b);
  const cut = sorted.length > WHOLE_RANGE_MAX ? Math.floor(sorted.length * CUT_SHARE) : 0;
  const low = sorted[cut];
  const high = sorted.at(-1 - cut);
  if (low === undefined || high === undefined) return undefined;
  return { low: low * tasks, high: high * tasks, n: sorted.length };
}
