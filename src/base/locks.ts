import type { ProcessIdentity } from "./processes.ts";
import type { FileFailure } from "./files.ts";
import type { Result } from "./result.ts";

/** Somebody else holds the lease. */
export interface LeaseHeld {
  readonly kind: "lease-held";
  readonly path: string;
  /** As the holder wrote it; for people only. */
  readonly holder: (ProcessIdentity & { readonly since: string }) | undefined;
}

/** A lease held by this process until it ends, however it ends. */
export interface Lease extends AsyncDisposable {
  /** Resolves when the lease is lost (its keeper died): the holder must exit at once. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** Locks as a port. */
export interface Locks {
  /** Takes the single-instance lease at `path`, or says at once who holds it. Freed by the kernel. */
  takeLease(path: string): Promise<Result<Lease, LeaseHeld | FileFailure>>;
  /** Whether a live process holds the lease at `path` now. */
  isLeaseHeld(path: string): Promise<boolean>;
  /** Runs `critical` under a short inter-process lock beside `path`. Never held across a turn. */
  withLock<T>(path: string, critical: () => T): Promise<Result<T, FileFailure>>;
}
