import type { Clock } from "../../base/ports/clock.ts";
import { type Files, FileFailure } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import { fail } from "../../base/result.ts";
import { kernelLock } from "./kernel-lock.ts";
import { Leases } from "./leases.ts";
import { withShortLock } from "./short-lock.ts";
import { socketLock } from "./socket-lock.ts";

export interface NodeLocksOptions {
  readonly files: Files;
  readonly clock: Clock;
  /** The digest of the program, for the records of its leases. */
  readonly code?: string | undefined;
  /** The name of the `flock` program; one that does not exist brings about the fallback. */
  readonly flockCommand?: string | undefined;
}

/** Locks among the processes of one machine. */
export function createNodeLocks(options: NodeLocksOptions): Locks {
  const { flockCommand = "flock" } = options;
  const leases = new Leases(options, kernelLock(flockCommand, socketLock()));
  return {
    takeLease: (path) => leases.take(path),
    isLeaseHeld: (path) => leases.isHeld(path),
    withLock: async (path, critical) => {
      const ran = await withShortLock(path, critical);
      if (ran.ok) return ran;
      return fail(FileFailure({ operation: "create", path, errno: ran.failure }));
    },
  };
}
