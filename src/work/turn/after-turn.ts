import { TURN_RETRIES_MAX, TURN_RETRY_MS_MAX, TURN_RETRY_MS_MIN } from "../../base/limits.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { HoldCause } from "../../fs-protocol/records/turn-records.ts";
import { backoffMs } from "../../streams/retry.ts";

/** What to do about a turn that has ended. */
export type AfterTurn =
  /** The turn counts, whatever its result. */
  | { readonly kind: "accept" }
  /** Run the turn again, in a fresh session of the engine if `isFresh`. This costs no attempt. */
  | { readonly kind: "retry"; readonly isFresh: boolean; readonly delayMs: number }
  /** No role may use the engine until `untilMs`, in ms since 1970; undefined: until a person allows it. */
  | { readonly kind: "hold"; readonly cause: HoldCause; readonly untilMs: number | undefined };

/** Wait before the next try if a limit does not report when it ends; doubled while the limit lasts. */
const LIMITED_MS_MIN = 60_000;
const LIMITED_MS_MAX = 30 * 60_000;
/** The longest hold: an engine whose limit ends later is tried once a day. */
const HOLD_MS_MAX = 24 * 60 * 60_000;
/** Length of the hold after the last retry, for a provider that is down. */
const DOWN_MS = 2 * 60_000;

/**
 * Decides what to do after a turn, by its failure class. A pure function.
 *
 * - `auth`: holds the engine until a person has dealt with it.
 * - `limited`: holds the engine until the limit ends.
 * - `overloaded`, `network`: retries a few times with jitter, then holds the engine for two minutes.
 * - `no-session`, `context-too-long`: retries in a fresh session, unless the session was fresh.
 * - all others, and success: the turn counts.
 */
export function afterTurn(
  outcome: TurnOutcome,
  tried: {
    /** Whether the turn resumed a session of the engine. */
    readonly isResumed: boolean;
    /** Number of retries of this turn so far. */
    readonly retries: number;
    /** Number of this engine's consecutive limits that did not report when they end. */
    readonly limits: number;
    readonly nowMs: number;
    readonly random: number;
  },
): AfterTurn {
  if (outcome.kind !== "failed") return { kind: "accept" };
  const { isResumed, retries, limits, nowMs, random } = tried;
  switch (outcome.failure) {
    case "auth":
      return { kind: "hold", cause: "auth", untilMs: undefined };
    case "limited": {
      const backoff = { msMin: LIMITED_MS_MIN, msMax: LIMITED_MS_MAX };
      const guessMs = nowMs + backoffMs(limits + 1, backoff, random);
      // A time in the past is useless: the provider's clock is wrong, or the text was misread.
      const { untilMs = guessMs } = outcome;
      const isUsable = untilMs > nowMs;
      const boundedMs = Math.min(isUsable ? untilMs : guessMs, nowMs + HOLD_MS_MAX);
      return { kind: "hold", cause: "limited", untilMs: boundedMs };
    }
    case "overloaded":
    case "network": {
      if (retries >= TURN_RETRIES_MAX)
        return { kind: "hold", cause: outcome.failure, untilMs: nowMs + DOWN_MS };
      const backoff = { msMin: TURN_RETRY_MS_MIN, msMax: TURN_RETRY_MS_MAX };
      return { kind: "retry", isFresh: false, delayMs: backoffMs(retries + 1, backoff, random) };
    }
    case "no-session":
    case "context-too-long":
      return isResumed ? { kind: "retry", isFresh: true, delayMs: 0 } : { kind: "accept" };
    default:
      return { kind: "accept" };
  }
}
