import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";

/** The longest that a timer of Node can wait; beyond it, it fires at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Real time. A longer sleep than 24 days ends after 24 days. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
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
