import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { TREE_WAIT_MS_MAX, TREE_WAIT_MS_MIN } from "../../base/limits.ts";
import { stateFolder } from "../../fs-protocol/home/state-folder.ts";
import type { RoleContext } from "../../work/role-context.ts";

/**
 * Does something while no other process of this machine and user does it: a kernel lock, which is freed even if its
 * holder is killed. It is taken before the lock of a verify tree, never after it, so nobody waits for ever.
 *
 * @returns undefined if the role is asked to stop while it waits
 */
export async function aloneHere<T>(
  { session, ports, signal }: Pick<RoleContext, "session" | "ports" | "signal">,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const { state, parent } = session;
  // Beside the folders of all repositories, under a name that none has.
  const folder = stateFolder(parent?.state ?? state);
  const path = join(folder, ".alone.lock");
  need(ports.files.makeDirectory(folder));
  for (let waitMs = TREE_WAIT_MS_MIN; !signal.aborted;) {
    const taken = await ports.locks.takeLease(path);
    if (!taken.ok && taken.failure.kind === "lease-held") {
      await ports.clock.sleep(waitMs, signal);
      waitMs = Math.min(2 * waitMs, TREE_WAIT_MS_MAX);
      continue;
    }
    const lease = need(taken);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }
  return undefined;
}
