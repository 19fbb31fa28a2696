import { z } from "zod";

/** Tokens as they are billed: `input` includes those that came from a cache, which are `cached`. */
export const Tokens = z.object({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cached: z.int().nonnegative(),
});
export type Tokens = z.infer<typeof Tokens>;

/** What was used; unknown is `undefined`, never 0. */
export interface RunUsage {
  readonly tokens: Tokens | undefined;
  /** In US dollars, by the engine's own price table. */
  readonly costUsd: number | undefined;
}

/** What a number counts: this run, or all runs of the session so far; `unknown` matters when resumed. */
export const UsageBasis = z.enum(["run", "session", "unknown"]);
export type UsageBasis = z.infer<typeof UsageBasis>;

/** What a turn reports to have used, as it reports it. */
export const TurnUsage = z.object({
  tokens: Tokens.optional(),
  costUsd: z.number().nonnegative().optional(),
  tokensBasis: UsageBasis,
  costBasis: UsageBasis,
});
export type TurnUsage = z.infer<typeof TurnUsage>;

/** The turn before, of the same engine session; `undefined`: the session began with this turn. */
export type UsageBefore = { readonly usage: TurnUsage | undefined } | undefined;

/**
 * What one run used, out of what it reports. A sum over the session counts from what was reported last;
 * where that is not known, or the sum shrank, this run's part is not known either: never 0.
 */
export function usedByRun(reported: TurnUsage, before: UsageBefore): RunUsage {
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
