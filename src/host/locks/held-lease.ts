import type { FileFailure, Files } from "../../base/ports/files.ts";
import { holderPathOf, type Lease, type LeaseHeld } from "../../base/ports/locks.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Hold } from "./exclusion.ts";

/** A hold whose holder is recorded beside it. */
export interface TakenHold {
  readonly hold: Hold;
  /** The last holder did not remove its record. */
  readonly wasAbandoned: boolean;
}

interface HeldLeaseOptions {
  readonly files: Files;
  readonly path: string;
  readonly taken: TakenHold;
  /** Takes the same lease again. */
  readonly again: () => Promise<Result<TakenHold, LeaseHeld | FileFailure>>;
}

/** A lease that this process holds. */
export class HeldLease implements Lease {
  readonly lost: Promise<void>;
  readonly wasAbandoned: boolean;
  readonly #options: HeldLeaseOptions;
  /** Undefined while the lock file is missing and could not be created again. */
  #hold: Hold | undefined;
  #isLost = false;
  #markLost!: () => void;
  #released: Promise<void> | undefined;
  #keeping: Promise<Result<void, FileFailure>> | undefined;

  constructor(options: HeldLeaseOptions) {
    this.#options = options;
    this.wasAbandoned = options.taken.wasAbandoned;
    this.lost = new Promise<void>((resolve) => {
      this.#markLost = resolve;
    });
    this.#holdOn(options.taken.hold);
  }

  keep(): Promise<Result<void, FileFailure>> {
    // One at a time: a second attempt would find the first one's hold, and take it for another process's.
    this.#keeping ??= this.#keep().finally(() => (this.#keeping = undefined));
    return this.#keeping;
  }

  release(): Promise<void> {
    // At once unless the lease is just being taken again: a process may end right after it has called this.
    this.#released ??= this.#keeping?.then(() => this.#free()) ?? this.#free();
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  async #keep(): Promise<Result<void, FileFailure>> {
    if (this.#isOver || this.#hold?.isInPlace() === true) return ok(undefined);
    // First: closing a socket removes the file at its path, which must not be the new one.
    const former = this.#hold;
    this.#hold = undefined;
    await former?.release();
    const again = await this.#options.again();
    if (again.ok) this.#holdOn(again.value.hold);
    else if (again.failure.kind === "file") return fail(again.failure);
    else this.#lose();
    return ok(undefined);
  }

  async #free(): Promise<void> {
    const { files, path } = this.#options;
    // Removed before the lock is freed: afterwards, or once the lock is lost, it is the next holder's file.
    if (!this.#isLost && this.#hold !== undefined) files.remove(holderPathOf(path));
    await this.#hold?.release();
  }

  get #isOver(): boolean {
    return this.#isLost || this.#released !== undefined;
  }

  #holdOn(hold: Hold): void {
    this.#hold = hold;
    void hold.lost.then(() => this.#lose());
  }

  #lose(): void {
    this.#isLost = true;
    this.#markLost();
  }
}
