import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../base/ports/clock.ts";

/** The longest delay of a Node timer, in ms; a longer one fires at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Real time. It never goes backwards within a process: if the wall clock is set back, time continues from where it
 * was, so that no limit becomes a day longer. A sleep of more than 24 days ends after 24 days.
 */
export const systemClock: Clock = {
  nowMs: neverBack(),
  get zone() {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
  sleep: async (durationMs, signal) => {
    const boundedMs = Math.min(durationMs, TIMER_MS_MAX);
    try {
      await sleep(boundedMs, undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      // An abort is the intended way to end a sleep early; nothing else is expected.
      if (signal?.aborted !== true) throw thrown;
    }
  },
};

/** The wall clock, but never earlier than its last value plus the steady time since. In whole milliseconds. */
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
