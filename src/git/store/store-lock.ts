import type { Lease } from "../../base/ports/locks.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { STORE_LOOK_MS, STORE_RETRY_MS, STORE_WAIT_MS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import type { ObjectStore } from "./object-store.ts";

/**
 * Runs `act` while no other process changes the store, unless `isDone` by then. The kernel frees
 * the lock of a process that was killed.
 */
export async function whileStoreLocked(
  { clock }: GitContext,
  { directory, locks }: ObjectStore,
  isDone: () => boolean,
  act: () => Promise<Result<void, GitFailure>>,
): Promise<Result<void, GitFailure>> {
  const path = `${directory}.lock`;
  for (let waitedMs = 0; waitedMs < STORE_WAIT_MS_MAX && !isDone(); waitedMs += STORE_LOOK_MS) {
    // Looking at files is much cheaper than trying the lock.
    const lease = waitedMs % STORE_RETRY_MS === 0 ? await locks.takeLease(path) : undefined;
    if (lease?.ok === true) return actAndRelease(lease.value, isDone, act);
    const failure = lease?.failure;
    if (failure?.kind === "file") return fail(fileAsGitFailure("share", failure));
    await clock.sleep(STORE_LOOK_MS);
  }
  if (isDone()) return ok(undefined);
  return fail(gitFailure("share", directory, "another process has been changing it for too long"));
}

async function actAndRelease(
  lease: Lease,
  isDone: () => boolean,
  act: () => Promise<Result<void, GitFailure>>,
): Promise<Result<void, GitFailure>> {
  try {
    return isDone() ? ok(undefined) : await act();
  } finally {
    await lease.release();
  }
}
