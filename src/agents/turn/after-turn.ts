import { TURN_RETRIES_MAX, TURN_RETRY_MS_MAX, TURN_RETRY_MS_MIN } from "../../base/limits.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { HoldCause } from "../../fs-protocol/records/turn-records.ts";
import { backoffMs } from "../../streams/retry.ts";

/** What to do about a turn that has ended. */
export type AfterTurn =
  /** It counts, whatever it came to. */
  | { readonly kind: "accept" }
  /** The same once more, in a fresh session of the engine if need be; it costs no attempt. */
  | { readonly kind: "retry"; readonly isFresh: boolean; readonly delayMs: number }
  /** The engine is not to be asked for now, by nobody; `untilMs` undefined: until a person says so. */
  | { readonly kind: "hold"; readonly cause: HoldCause; readonly untilMs: number | undefined };

/** Where a limit does not say when it ends, it is tried so much later; doubled while it goes on. */
const LIMITED_MS_MIN = 60_000;
const LIMITED_MS_MAX = 30 * 60_000;
/** A limit that says it ends later than that is looked at once a day. */
const HOLD_MS_MAX = 24 * 60 * 60_000;
/** After the last retry: a provider that is down is asked again so much later. */
const DOWN_MS = 2 * 60_000;

/**
 * The policy of each failure class: pure.
 *
 * - `auth`: the engine is left alone until a person has seen to it.
 * - `limited`: it is left alone until the limit ends.
 * - `overloaded`, `network`: a few retries with jitter, then it is left alone for two minutes.
 * - `no-session`: the turn is taken in a fresh session, `context-too-long` also, unless it was fresh.
 * - all others, and success: the turn counts.
 */
export function afterTurn(
  outcome: TurnOutcome,
  tried: {
    /** It went on with a session of the engine. */
    readonly isResumed: boolean;
    /** Retries of this turn so far. */
    readonly retries: number;
    /** Limits of this engine in a row, that did not say when they end. */
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
      // What lies in the past says nothing: a provider's clock, or a text that was misread.
      const { untilMs = guessMs } = outcome;
      const isSaid = untilMs > nowMs;
      const boundedMs = Math.min(isSaid ? untilMs : guessMs, nowMs + HOLD_MS_MAX);
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
