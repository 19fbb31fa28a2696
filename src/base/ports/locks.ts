import { basename } from "node:path";
import { EXIT } from "../exit-code.ts";
import { refusal, type Words } from "../failure.ts";
import type { ProcessIdentity } from "./processes.ts";
import type { FileFailure } from "./files.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

interface HeldFacts {
  readonly path: string;
  /** As the holder wrote it; for people only. */
  readonly holder: (ProcessIdentity & { readonly since: string }) | undefined;
}

/** Somebody else holds the lease. */
export const LeaseHeld = refusal("lease-held", EXIT.leaseHeld, heldWords);
export type LeaseHeld = ReturnType<typeof LeaseHeld>;

function heldWords({ path, holder }: HeldFacts): Words {
  const what = basename(path, ".lock");
  if (what === "revise" || what === "revising") {
    return [
      "Another request for a revision of this session is under way: there is one at a time.",
      "Nothing was done. See what came of it, then say it again:",
      "wisp status",
    ];
  }
  const who =
    holder === undefined
      ? "a process that did not say who it is"
      : `process ${String(holder.pid)}, since ${shown(holder.since)}`;
  return [
    `Another ${shown(what)} is at work on this session: ${who}.`,
    "There is one at a time. To see what it does, or to end it:",
    "wisp status",
    ...(holder === undefined ? [] : [`kill ${String(holder.pid)}`]),
  ];
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
