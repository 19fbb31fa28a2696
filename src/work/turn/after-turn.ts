import { TURN_RETRIES_MAX, TURN_RETRY_MS_MAX, TURN_RETRY_MS_MIN } from "../../base/limits.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { HoldCause, HoldEnd } from "../../fs-protocol/records/turn-records.ts";
import { backoffMs } from "../../streams/retry.ts";

/** What to do about a turn that has ended. */
export type AfterTurn =
  /** The turn counts, whatever its result. */
  | { readonly kind: "accept" }
  /** Run the turn again, in a fresh session of the engine if `isFresh`. This costs no attempt. */
  | { readonly kind: "retry"; readonly isFresh: boolean; readonly delayMs: number }
  /**
   * No role may use the engine until `untilMs`, in ms since 1970; undefined: until a person allows it. `isAttempt`:
   * the turn counts all the same.
   */
  | {
      readonly kind: "hold";
      readonly cause: HoldCause;
      readonly untilMs: number | undefined;
      readonly end?: HoldEnd | undefined;
      readonly isAttempt?: boolean | undefined;
    };

/** Wait before the next try if a limit does not report when it ends; doubled while the limit lasts. */
const LIMITED_MS_MIN = 60_000;
const LIMITED_MS_MAX = 30 * 60_000;
/** The longest time after the end of a limit, by chance: not everybody who waits for it should ask at once. */
const AFTER_END_MS_MAX = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** No limit of a provider is longer; one that is known by words alone is tried once a day. */
const LIMIT_MS_MAX = 32 * DAY_MS;
/** Length of the hold after the last retry, for a provider that is down. */
const DOWN_MS = 2 * 60_000;
/** After so many holds in a row, words that nothing else confirms may be about the work, and count as an attempt. */
const WORD_HOLDS_MAX = 6;

/**
 * Decides what to do after a turn, by its failure class. A pure function.
 *
 * - `auth`: holds the engine until a person has dealt with it.
 * - `limited`: holds the engine until the limit ends, and up to a minute longer.
 * - `overloaded`, `network`: retries a few times with jitter, then holds the engine for two minutes.
 * - `no-session`, `context-too-long`: retries in a fresh session, unless the session was fresh.
 * - all others, and success: the turn counts; so does every sixth hold in a row that only words are a reason for.
 */
export function afterTurn(outcome: TurnOutcome, tried: TriedTurn): AfterTurn {
  const next = withoutBound(outcome, tried);
  if (next.kind !== "hold" || outcome.kind !== "failed" || outcome.evidence !== "words")
    return next;
  return { ...next, isAttempt: (tried.wordHolds + 1) % WORD_HOLDS_MAX === 0 };
}

/** What is known about the turns before. */
interface TriedTurn {
  /** Whether the turn resumed a session of the engine. */
  readonly isResumed: boolean;
  /** Number of retries of this turn so far. */
  readonly retries: number;
  /** Number of this engine's consecutive limits that did not report when they end. */
  readonly limits: number;
  /** Number of its consecutive holds that were recognized by nothing but words. */
  readonly wordHolds: number;
  readonly nowMs: number;
  readonly random: number;
}

function withoutBound(outcome: TurnOutcome, tried: TriedTurn): AfterTurn {
  if (outcome.kind !== "failed") return { kind: "accept" };
  const { isResumed, retries, limits, nowMs, random } = tried;
  switch (outcome.failure) {
    case "auth":
      return { kind: "hold", cause: "auth", untilMs: undefined };
    case "limited":
      return afterLimit(outcome, { limits, nowMs, random });
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

function afterLimit(
  { untilMs, evidence }: Extract<TurnOutcome, { kind: "failed" }>,
  { limits, nowMs, random }: Pick<TriedTurn, "limits" | "nowMs" | "random">,
): AfterTurn {
  const longestMs = nowMs + LIMIT_MS_MAX;
  // A time in the past is useless: the provider's clock is wrong, or the text was misread.
  if (untilMs === undefined || untilMs <= nowMs || untilMs > longestMs) {
    const guessMs = backoffMs(limits + 1, { msMin: LIMITED_MS_MIN, msMax: LIMITED_MS_MAX }, random);
    return { kind: "hold", cause: "limited", untilMs: nowMs + guessMs, end: "guessed" };
  }
  const saidMs = evidence === "words" ? Math.min(untilMs, nowMs + DAY_MS) : untilMs;
  const laterMs = Math.floor(random * AFTER_END_MS_MAX);
  return { kind: "hold", cause: "limited", untilMs: saidMs + laterMs, end: "said" };
}
