import { setTimeout as sleep } from "node:timers/promises";
import type { LockOptions } from "proper-lockfile";
import { failpoint } from "../../base/ports/failpoint.ts";
import { shortLockOf } from "../../base/ports/locks.ts";
import { ok, type Result } from "../../base/result.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { forgetHolder, recordHolder, removeAbandonedLock } from "./abandoned-lock.ts";

/** Long enough that the package never removes a killed holder's lock; we do, see abandoned-lock.ts. */
const NEVER_STALE_MS = 7 * 24 * 3_600_000;
/** How often the holder of a lock refreshes it. */
const UPDATE_MS = 5_000;
/** A waiter outlasts three killed holders whose death cannot be proved. */
const WAIT_MS_MAX = 50_000;
/** The delay between two tries, at random, so that waiters do not retry in step. */
const RETRY_MS_MIN = 1;
const RETRY_MS_MAX = 6;

const OPTIONS: LockOptions = {
  // The lock is on a name; no file of that name need exist.
  realpath: false,
  stale: NEVER_STALE_MS,
  update: UPDATE_MS,
  // By default the package throws from a timer, which would end the process.
  onCompromised: () => undefined,
};

/**
 * Runs `critical`, which must take only milliseconds, while no other process runs one for the same `path`. The lock
 * is the directory `<path>.lock` of proper-lockfile. A killed holder's lock is removed: at once if its death can be
 * proved, otherwise after 15 s. Fails with `ELOCKED` if the lock cannot be acquired within 50 s.
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
    // If another process has removed the lock meanwhile, there is nothing to release.
    attempt(locked.value);
    failpoint("unlock.after");
    forgetHolder(shortLockOf(path));
  }
}

/** Acquires the lock; returns the function that releases it. */
async function takeShortLock(path: string): Promise<Result<() => void, Errno>> {
  // Imported on first use, so that commands that lock nothing do not pay for loading it.
  const { lockSync } = await import("proper-lockfile");
  const endMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    failpoint("lock.before");
    const locked = attempt(() => lockSync(path, { ...OPTIONS, lockfilePath: shortLockOf(path) }));
    failpoint("lock.after");
    if (locked.ok) recordHolder(shortLockOf(path));
    if (locked.ok || locked.failure !== "ELOCKED") return locked;
    if (await removeAbandonedLock(shortLockOf(path))) continue;
    if (performance.now() >= endMs) return locked;
    await sleep(RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN));
  }
}
