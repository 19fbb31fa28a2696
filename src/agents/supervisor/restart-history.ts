import type { SessionFacts } from "./session-facts.ts";
import type { Timing } from "./timing.ts";

/** Exit codes of a role's process that do not tell of a crash. */
const EXIT_BRANCH_REWRITTEN = 5;
const EXIT_LEASE_HELD = 6;

/** How a role's process ended. Times in steady milliseconds. */
export interface ProcessEnd {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    /** Not our child: all that is known is that its lease is free. */
    | { readonly kind: "left" }
    | { readonly kind: "not-started"; readonly errno: string };
  readonly atMs: number;
  readonly ranMs: number;
  /** We had sent it a signal. */
  readonly wasAsked: boolean;
}

/** Why it ended, as far as starting it again goes. */
export type EndCause = "over" | "asked" | "lease-held" | "branch-rewritten" | "crash";

/**
 * Judges an end by what was seen after it. An exit code of 0 while there is work left is a crash like
 * any other: else a role that always leaves at once would be started for ever. So is a refusal by a
 * lease that nobody has (`isLeaseHeld`).
 */
export function causeOfEnd(
  { how, wasAsked }: ProcessEnd,
  session: SessionFacts,
  isLeaseHeld: boolean,
): EndCause {
  if (wasAsked) return "asked";
  if (session.over !== undefined) return "over";
  const code = how.kind === "exited" ? how.code : undefined;
  if (code === EXIT_LEASE_HELD && isLeaseHeld) return "lease-held";
  if (code === EXIT_BRANCH_REWRITTEN || session.isRewritten) return "branch-rewritten";
  return "crash";
}

/** What a supervisor remembers of a role's ends. */
export interface RestartHistory {
  /** Times of those crashes that lie within one window of the last. */
  readonly crashesMs: readonly number[];
  /** Starts in a row that did not last: the exponent of the backoff. */
  readonly shortRuns: number;
  /** The role is not started before. */
  readonly notBeforeMs: number;
}

export const FRESH: RestartHistory = { crashesMs: [], shortRuns: 0, notBeforeMs: 0 };

/** The history with one more end. */
export function afterEnd(
  history: RestartHistory,
  end: ProcessEnd,
  cause: EndCause,
  timing: Timing,
): RestartHistory {
  if (cause !== "crash" && cause !== "lease-held") return FRESH;
  const shortRuns = end.ranMs >= timing.healthyMs ? 1 : history.shortRuns + 1;
  const recent = history.crashesMs.filter((ms) => end.atMs - ms <= timing.crashLoopWindowMs);
  return {
    crashesMs: cause === "crash" ? [...recent, end.atMs] : recent,
    shortRuns,
    notBeforeMs: end.atMs + backoffMs(shortRuns, timing),
  };
}

/** Whether the role crashed so often in so short a time that starting it again is of no use. */
export function isCrashLoop(history: RestartHistory, timing: Timing): boolean {
  return history.crashesMs.length >= timing.crashLoopCount;
}

function backoffMs(shortRuns: number, { backoffMsMin, backoffMsMax }: Timing): number {
  return Math.min(backoffMsMin * 2 ** (shortRuns - 1), backoffMsMax);
}
