import { setTimeout as sleep } from "node:timers/promises";
import type { LockOptions } from "proper-lockfile";
import { failpoint } from "../../base/ports/failpoint.ts";
import { ok, type Result } from "../../base/result.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { forgetHolder, noteHolder, removeLeftLock } from "./left-lock.ts";

/** Long enough that only we, and not the package, remove what a killed holder left: see left-lock.ts. */
const NEVER_STALE_MS = 7 * 24 * 3_600_000;
/** How often the holder of a lock says that it still has it. */
const UPDATE_MS = 5_000;
/** A waiter outlasts three killed holders whose death nobody can prove. */
const WAIT_MS_MAX = 50_000;
/** Between two tries, at random, so that waiters do not march in step. */
const RETRY_MS_MIN = 1;
const RETRY_MS_MAX = 20;

const OPTIONS: LockOptions = {
  // What is locked is a name; there need be no file of that name.
  realpath: false,
  stale: NEVER_STALE_MS,
  update: UPDATE_MS,
  // By default it throws out of a timer, which would end the process.
  onCompromised: () => undefined,
};

/**
 * Runs `critical`, a matter of milliseconds, while nobody else runs one under the same `path`; the
 * lock is the directory `<path>.lock` of proper-lockfile. What a killed holder left is removed: at once
 * where its death can be proved, else after 15 s. `ELOCKED` when it could not be had for 50 s.
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
    forgetHolder(`${path}.lock`);
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
    if (locked.ok) noteHolder(`${path}.lock`);
    if (locked.ok || locked.failure !== "ELOCKED") return locked;
    if (await removeLeftLock(`${path}.lock`)) continue;
    if (performance.now() >= endMs) return locked;
    await sleep(RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN));
  }
}
