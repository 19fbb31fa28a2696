import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";

/** Tokens as billed: `input` includes those read from a cache, which `cached` counts. */
export const Tokens = lateObject(() => ({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cached: z.int().nonnegative(),
}));
export type Tokens = z.infer<typeof Tokens>;

/** What was used; unknown is `undefined`, never 0. */
export interface RunUsage {
  readonly tokens: Tokens | undefined;
  /** In US dollars, by the engine's own price table. */
  readonly costUsd: number | undefined;
}

/**
 * What a number covers: this run, or all runs of the session so far; `unknown` matters for resumed
 * sessions.
 */
export const UsageBasis = z.enum(["run", "session", "unknown"]);
export type UsageBasis = z.infer<typeof UsageBasis>;

/** The usage that a turn reports. */
export const TurnUsage = lateObject(() => ({
  tokens: Tokens.optional(),
  costUsd: z.number().nonnegative().optional(),
  tokensBasis: UsageBasis,
  costBasis: UsageBasis,
}));
export type TurnUsage = z.infer<typeof TurnUsage>;

/**
 * The previous turn of the same engine session; `undefined` if the session began with this turn.
 */
export type UsageBefore = { readonly usage: TurnUsage | undefined } | undefined;

/**
 * Computes what one run used from what it reports. From a session total, the previously reported
 * total is subtracted; if that is unknown, or the total shrank, this run's usage is unknown too:
 * never 0.
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
