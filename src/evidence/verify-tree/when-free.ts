import { TREE_WAIT_MS_MAX, TREE_WAIT_MS_MIN } from "../../base/limits.ts";
import type { Clock } from "../../base/ports/clock.ts";

/** What waiting needs. */
export interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Tries to take one of several things until one is free, at growing intervals.
 *
 * @returns undefined if the role is asked to stop meanwhile
 */
export async function whenFree<T>(
  { clock, signal }: Waiting,
  take: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let waitMs = TREE_WAIT_MS_MIN; !signal.aborted;) {
    const taken = await take();
    if (taken !== undefined) return taken;
    await clock.sleep(waitMs, signal);
    waitMs = Math.min(2 * waitMs, TREE_WAIT_MS_MAX);
  }
  return undefined;
}
