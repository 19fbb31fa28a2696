import { closeSync, constants, fstatSync, lstatSync } from "node:fs";
import { fail, ok, type Result } from "../../base/result.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { openRegular, syncNameOf } from "./open-regular.ts";

/** How many logs are known open; the least recently used one is closed first. */
const DESCRIPTORS_MAX = 32;

const APPEND = constants.O_RDWR | constants.O_APPEND;

interface Descriptor {
  readonly fd: number;
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Keeps open descriptors of the logs that are appended to often, because opening costs more than writing. Each use
 * checks the path first, so that a log that was deleted or replaced is reopened, and no write goes to a file that
 * nobody reads.
 */
export class AppendDescriptors {
  readonly #byPath = new Map<string, Descriptor>();

  /** A descriptor for the file now at `path`, which is durably created if it does not exist. */
  open(path: string): Result<number, Errno> {
    const known = this.#byPath.get(path);
    if (known !== undefined && isStillAt(path, known)) {
      this.#keep(path, known);
      return ok(known.fd);
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

  /** Closes a file's descriptor after a failure, which the descriptor itself may have caused. */
  drop(path: string): void {
    const known = this.#byPath.get(path);
    if (known === undefined) return;
    this.#byPath.delete(path);
    closeSync(known.fd);
  }

  #keep(path: string, descriptor: Descriptor): void {
    // A Map keeps the order of insertion, so the first key is the least recently used one.
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
  // Another process created it first.
  return created.failure === "EEXIST" ? openExisting(path) : created;
}

function openExisting(path: string): Result<number, Errno> {
  const opened = openRegular(path, APPEND);
  return opened.ok ? withDurableName(path, opened.value.fd) : opened;
}

/** Syncs an existing file's name too: its creator may have been killed before the name was durable. */
function withDurableName(path: string, fd: number): Result<number, Errno> {
  const synced = syncNameOf(path);
  if (synced.ok) return ok(fd);
  closeSync(fd);
  return fail(synced.failure);
}
