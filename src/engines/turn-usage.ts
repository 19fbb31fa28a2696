import type { Tokens } from "./engine-event.ts";
import type { Usage } from "./turn-report.ts";

/** What a number counts: this run, or all runs of the session so far; `unknown` matters when resumed. */
export type UsageBasis = "run" | "session" | "unknown";

/** What a turn reports to have used. */
export interface TurnUsage extends Usage {
  readonly tokensBasis: UsageBasis;
  readonly costBasis: UsageBasis;
}

/** The turn before, of the same engine session; `undefined`: the session began with this turn. */
export type UsageBefore = { readonly usage: TurnUsage | undefined } | undefined;

/**
 * What one run used, out of what it reports. A sum over the session counts from what was reported last;
 * where that is not known, or the sum shrank, this run's part is not known either: never 0.
 */
export function usedByRun(reported: TurnUsage, before: UsageBefore): Usage {
  const { tokens, costUsd, tokensBasis, costBasis } = reported;
  return {
    tokens: byRun(tokensBasis, before, {
      now: tokens,
      then: before?.usage?.tokens,
      minus: tokensMinus,
    }),
    costUsd: byRun(costBasis, before, {
      now: costUsd,
      then: before?.usage?.costUsd,
      minus: (now, then) => (now < then ? undefined : now - then),
    }),
  };
}

function byRun<T>(
  basis: UsageBasis,
  before: UsageBefore,
  sums: {
    readonly now: T | undefined;
    readonly then: T | undefined;
    readonly minus: (now: T, then: T) => T | undefined;
  },
): T | undefined {
  const { now, then, minus } = sums;
  if (basis === "run" || before === undefined) return now;
  if (basis === "unknown" || now === undefined || then === undefined) return undefined;
  return minus(now, then);
}

function tokensMinus(now: Tokens, then: Tokens): Tokens | undefined {
  const rest = {
    input: now.input - then.input,
    output: now.output - then.output,
    cached: now.cached - then.cached,
  };
  return Math.min(rest.input, rest.output, rest.cached) < 0 ? undefined : rest;
}
