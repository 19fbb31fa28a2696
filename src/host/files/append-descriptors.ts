import { closeSync, constants, fstatSync, lstatSync } from "node:fs";
import { fail, ok, type Result } from "../../base/result.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { openRegular, syncNameOf } from "./open-regular.ts";

/** Logs kept open at once; the one used longest ago is closed first. */
const DESCRIPTORS_MAX = 32;

const APPEND = constants.O_RDWR | constants.O_APPEND;

interface Descriptor {
  readonly fd: number;
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Descriptors of the logs that are appended to again and again: opening costs more than writing. Each
 * use first looks at the path, so that a log that was deleted or replaced is opened anew instead of
 * being written to where nobody reads.
 */
export class AppendDescriptors {
  readonly #byPath = new Map<string, Descriptor>();

  /** A descriptor for the file that is at `path` now, which is made (durably) when there is none. */
  open(path: string): Result<number, Errno> {
    const kept = this.#byPath.get(path);
    if (kept !== undefined && isStillAt(path, kept)) {
      this.#keep(path, kept);
      return ok(kept.fd);
    }
    this.drop(path);
    const opened = openOrCreate(path);
    if (!opened.ok) return opened;
    const identity = attempt(() => fstatSync(opened.value, { bigint: true }));
    if (!identity.ok) {
      closeSync(opened.value);
      return identity;
    }
    const { dev, ino } = identity.value;
    this.#keep(path, { fd: opened.value, device: dev, inode: ino });
    return ok(opened.value);
  }

  /** Forgets a file after a failure, whose cause may lie in the descriptor. */
  drop(path: string): void {
    const kept = this.#byPath.get(path);
    if (kept === undefined) return;
    this.#byPath.delete(path);
    closeSync(kept.fd);
  }

  #keep(path: string, descriptor: Descriptor): void {
    // A Map remembers the order of insertion: the first key is the one used longest ago.
    this.#byPath.delete(path);
    this.#byPath.set(path, descriptor);
    const [oldest] = this.#byPath.keys();
    if (this.#byPath.size > DESCRIPTORS_MAX && oldest !== undefined) this.drop(oldest);
  }
}

function isStillAt(path: string, { device, inode }: Descriptor): boolean {
  const found = attempt(() => lstatSync(path, { bigint: true }));
  return found.ok && found.value.dev === device && found.value.ino === inode;
}

function openOrCreate(path: string): Result<number, Errno> {
  const existing = openExisting(path);
  if (existing.ok || existing.failure !== "ENOENT") return existing;
  const created = openRegular(path, APPEND | constants.O_CREAT | constants.O_EXCL);
  if (created.ok) return withDurableName(path, created.value.fd);
  // Somebody was faster.
  return created.failure === "EEXIST" ? openExisting(path) : created;
}

function openExisting(path: string): Result<number, Errno> {
  const opened = openRegular(path, APPEND);
  return opened.ok ? withDurableName(path, opened.value.fd) : opened;
}

/** Also for a file that is there already: who made it may have been killed before its name was durable. */
function withDurableName(path: string, fd: number): Result<number, Errno> {
  const synced = syncNameOf(path);
  if (synced.ok) return ok(fd);
  closeSync(fd);
  return fail(synced.failure);
}
