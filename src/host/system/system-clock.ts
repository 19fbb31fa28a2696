import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../base/ports/clock.ts";

/** The longest that a timer of Node can wait; beyond it, it fires at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Real time. Within a process it never goes back: where the wall clock is set back, time goes on from
 * where it was, so that no limit is a day longer. A longer sleep than 24 days ends after 24 days.
 */
export const systemClock: Clock = {
  nowMs: neverBack(),
  sleep: async (durationMs, signal) => {
    const boundedMs = Math.min(durationMs, TIMER_MS_MAX);
    try {
      await sleep(boundedMs, undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      // An abort is how a sleep is meant to end early; there is nothing else that it could throw.
      if (signal?.aborted !== true) throw thrown;
    }
  },
};

/** The wall clock, or where it was last seen and the steady time since, if that is later. In whole milliseconds. */
export function neverBack(
  wallMs: () => number = () => Date.now(),
  steadyMs: () => number = () => performance.now(),
): () => number {
  let seenMs = -Infinity;
  let atMs = 0;
  return () => {
    const now = steadyMs();
    seenMs = Math.max(wallMs(), seenMs + now - atMs);
    atMs = now;
    return Math.floor(seenMs);
  };
}
