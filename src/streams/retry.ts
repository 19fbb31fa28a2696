import { assert } from "../base/assert.ts";

/** Exponential backoff between attempts, in milliseconds. */
export interface Backoff {
  readonly msMin: number;
  readonly msMax: number;
}

/**
 * The delay after failed attempt number `attempt` (from 1): it doubles from `msMin` up to `msMax`, with "equal
 * jitter", so that two roles that collided do not collide again.
 *
 * @param random a number in [0, 1)
 */
export function backoffMs(attempt: number, { msMin, msMax }: Backoff, random: number): number {
  assert(attempt >= 1, "attempts are counted from 1");
  assert(random >= 0 && random < 1, "random is in [0, 1)");
  const full = Math.min(msMin * 2 ** Math.min(attempt - 1, 30), msMax);
  return Math.round(full / 2 + (full / 2) * random);
}
