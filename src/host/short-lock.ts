import { setTimeout as sleep } from "node:timers/promises";
import type { LockOptions } from "proper-lockfile";
import { failpoint } from "../base/failpoint.ts";
import { ok, type Result } from "../base/result.ts";
import { attempt, type Errno } from "./errno.ts";

/** After this a lock whose holder was killed within its few milliseconds is taken over. */
const STALE_MS = 15_000;
/** A waiter outlasts three killed holders: who takes a stale lock over may be killed with it again. */
const WAIT_MS_MAX = 50_000;
/** Between two tries, at random, so that waiters do not march in step. */
const RETRY_MS_MIN = 1;
const RETRY_MS_MAX = 20;

const OPTIONS: LockOptions = {
  // What is locked is a name; there need be no file of that name.
  realpath: false,
  stale: STALE_MS,
  // By default it throws out of a timer, which would end the process.
  onCompromised: () => undefined,
};

/**
 * Runs `critical`, a matter of milliseconds, while nobody else runs one under the same `path`; the
 * lock is the directory `<path>.lock` of proper-lockfile. `ELOCKED` when it could not be had for 50 s.
 */
export async function withShortLock<T>(
  path: string,
  critical: () => T | Promise<T>,
): Promise<Result<T, Errno>> {
  const locked = await takeShortLock(path);
  if (!locked.ok) return locked;
  try {
    return ok(await critical());
  } finally {
    failpoint("unlock.before");
    // When somebody has removed it from under us, there is nothing left to give back.
    attempt(locked.value);
    failpoint("unlock.after");
  }
}

/** Returns what gives the lock back. */
async function takeShortLock(path: string): Promise<Result<() => void, Errno>> {
  // Imported when first locked: commands that lock nothing do not pay for loading it.
  const { lockSync } = await import("proper-lockfile");
  const endMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    failpoint("lock.before");
    const locked = attempt(() => lockSync(path, { ...OPTIONS, lockfilePath: `${path}.lock` }));
    failpoint("lock.after");
    if (locked.ok || locked.failure !== "ELOCKED") return locked;
    if (performance.now() >= endMs) return locked;
    await sleep(RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN));
  }
}
