import { basename } from "node:path";
import { EXIT } from "../exit-code.ts";
import { refusal, type Words } from "../failure.ts";
import type { ProcessIdentity } from "./processes.ts";
import type { FileFailure } from "./files.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

interface HeldFacts {
  readonly path: string;
  /** As the holder recorded it; only for people. */
  readonly holder: (ProcessIdentity & { readonly since: string }) | undefined;
}

/** Another process holds the lease. */
export const LeaseHeld = refusal("lease-held", EXIT.leaseHeld, heldWords);
export type LeaseHeld = ReturnType<typeof LeaseHeld>;

function heldWords({ path, holder }: HeldFacts): Words {
  const what = basename(path, ".lock");
  if (what === "revise" || what === "revising") {
    return [
      "Another request for a revision of this session is under way: only one can run at a time.",
      "Nothing was done. Check its result, then repeat the command:",
      "wisp status",
    ];
  }
  const who =
    holder === undefined
      ? "a process that has not identified itself"
      : `process ${String(holder.pid)}, since ${shown(holder.since)}`;
  return [
    `Another ${shown(what)} is at work on this session: ${who}.`,
    "Only one can run at a time. To see what it does, or to end it:",
    "wisp status",
    ...(holder === undefined ? [] : [`kill ${String(holder.pid)}`]),
  ];
}

/** The file in which the holder of the lease at `path` identifies itself. */
export function holderPathOf(path: string): string {
  return `${path}.json`;
}

/** A lease that this process holds until it ends, however it ends. */
export interface Lease extends AsyncDisposable {
  /** Resolves when the lease is lost (another process holds it now); the holder must then exit at once. */
  readonly lost: Promise<void>;
  /** Whether the last holder did not release it: it was killed, or lost it, perhaps in the middle of its work. */
  readonly wasAbandoned: boolean;
  /**
   * Takes the lease again if its file was removed, since it then excludes nobody. If another process was faster, the
   * lease is lost. If it fails, the lease is not held, and the next call tries again.
   */
  keep(): Promise<Result<void, FileFailure>>;
  release(): Promise<void>;
}

/** The directory that exists while the short lock beside `path` is held, or after its holder was killed. */
export function shortLockOf(path: string): string {
  return `${path}.lock`;
}

/** The symbolic link, created in one step, in which the holder of a short lock identifies itself. */
export function lockNoteOf(lockPath: string): string {
  return `${lockPath}.holder`;
}

/** Locks as a port. */
export interface Locks {
  /** Acquires the single-instance lease at `path`, or reports its holder at once. The kernel frees it. */
  takeLease(path: string): Promise<Result<Lease, LeaseHeld | FileFailure>>;
  /** Whether a living process holds the lease at `path` now. */
  isLeaseHeld(path: string): Promise<boolean>;
  /** Runs `critical` under a short inter-process lock beside `path`; never use it across a turn. */
  withLock<T>(path: string, critical: () => T): Promise<Result<T, FileFailure>>;
}
