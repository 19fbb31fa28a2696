import { present } from "../../base/assert.ts";
import type { Clock } from "../../base/ports/clock.ts";
import { type Files, FileFailure } from "../../base/ports/files.ts";
import { holderPathOf, type Lease, LeaseHeld } from "../../base/ports/locks.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Errno } from "../system/errno.ts";
import type { Exclusion, Hold } from "./exclusion.ts";
import { HeldLease, type TakenHold } from "./held-lease.ts";
import { hasLockOpen, isHolderAlive, type LeaseHolder, readHolder } from "./lease-holder.ts";
import { identify } from "../processes/process-identity.ts";

/**
 * How long a refused acquisition is retried while no living process is recorded as the holder. The refusal then
 * came from a mere check, from a dying holder, or from one that has not yet recorded itself.
 */
const RETRY_MS_MAX = 250;
const RETRY_STEP_MS = 10;

interface LeaseOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly code?: string | undefined;
}

/** Single-instance leases: each excludes others for the life of a process, and records its holder. */
export class Leases {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #code: string | undefined;
  readonly #exclusion: Exclusion;

  constructor({ files, clock, code }: LeaseOptions, exclusion: Exclusion) {
    this.#files = files;
    this.#clock = clock;
    this.#code = code;
    this.#exclusion = exclusion;
  }

  /** Acquires the lease at `path`, or returns its holder: immediately if that is a living process. */
  async take(path: string): Promise<Result<Lease, LeaseHeld | FileFailure>> {
    const taken = await this.#hold(path);
    if (!taken.ok) return taken;
    const again = () => this.#hold(path);
    return ok(new HeldLease({ files: this.#files, path, taken: taken.value, again }));
  }

  /**
   * Whether a living process holds the lease. Cheap if one does; if the lease seems free, only trying the lock is
   * certain, because it may be held from within another container.
   */
  async isHeld(path: string): Promise<boolean> {
    const holder = readHolder(this.#files, path);
    if (holder !== undefined && isHolderAlive(holder) && hasLockOpen(holder, path)) return true;
    return this.#exclusion.isHeld(path);
  }

  async #hold(path: string): Promise<Result<TakenHold, LeaseHeld | FileFailure>> {
    const endMs = this.#clock.nowMs() + RETRY_MS_MAX;
    for (;;) {
      const taken = await this.#exclusion.take(path);
      if (!taken.ok) return fail(createFailure(path, taken.failure));
      if (taken.value !== "held") return this.#announce(path, taken.value);
      const holder = readHolder(this.#files, path);
      const isCertain = holder !== undefined && isHolderAlive(holder);
      if (isCertain || this.#clock.nowMs() >= endMs) return fail(leaseHeld(path, holder));
      await this.#clock.sleep(RETRY_STEP_MS);
    }
  }

  async #announce(path: string, hold: Hold): Promise<Result<TakenHold, FileFailure>> {
    const self = present(identify(process.pid), "we are alive");
    const since = new Date(this.#clock.nowMs()).toISOString();
    const holder: LeaseHolder = { ...self, since, fd: hold.fd, code: this.#code };
    const line = `${JSON.stringify(holder)}\n`;
    // A process removes its record before it releases the lease. A power cut may bring a removed record back, which
    // only costs a sweep; it never removes one.
    const wasAbandoned = this.#files.stat(holderPathOf(path)) !== undefined;
    const written = this.#files.replace(holderPathOf(path), new TextEncoder().encode(line));
    if (written.ok) return ok({ hold, wasAbandoned });
    await hold.release();
    return written;
  }
}

function leaseHeld(path: string, holder: LeaseHolder | undefined): LeaseHeld {
  if (holder === undefined) return LeaseHeld({ path, holder });
  const { pid, startTime, since } = holder;
  return LeaseHeld({ path, holder: { pid, startTime, since } });
}

function createFailure(path: string, errno: Errno): FileFailure {
  return FileFailure({ operation: "create", path, errno });
}
