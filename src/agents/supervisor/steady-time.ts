import type { Clock } from "../../base/ports/clock.ts";

/**
 * A clock in milliseconds since this call that never goes back: a wall clock that is set back by
 * a day must not turn a backoff of half a second into a day. Setting it forward only shortens a wait.
 */
export function steadyTime(clock: Clock): () => number {
  let seenMs = clock.nowMs();
  let steadyMs = 0;
  return () => {
    const nowMs = clock.nowMs();
    steadyMs += Math.max(0, nowMs - seenMs);
    seenMs = nowMs;
    return steadyMs;
  };
}
