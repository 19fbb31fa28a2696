import { createHash, type Hash } from "node:crypto";
import type { FileFailure, Files, FileStat } from "../../base/ports/files.ts";
import { FRAME_BYTES_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { digestPrefix } from "../../host/files/mirror-file.ts";
import { encodeFrame } from "./frame.ts";
import { isGrowing } from "./mirrored-path.ts";

/** Hands over bytes; resolves when more are wanted. */
export type Send = (bytes: Uint8Array) => Promise<void>;

/** A look at a home. */
export interface SendingLook {
  /** When it began, in ms since 1970. */
  readonly nowMs: number;
  /** Whether what gives no sign in the state of a file is looked for, too. */
  readonly isFull: boolean;
}

/**
 * What came of sending: nothing was new, it is at the other end as it was when looked at, or the file changed while it
 * was read, and the next look must send it.
 */
export type Sending = "same" | "sent" | "changing";

/** Of so many bytes before the end it is seen, at each append, whether they are still what was sent. */
const TAIL_BYTES = 256;
/** Of a longer file that only grows, the rest is compared only when a connection begins. */
const VERIFIED_BYTES_MAX = 64 * 1024 * 1024;
/** Two changes within this time may leave the same time at the file, as file systems count it. */
const SETTLED_MS = 2_000;
/** What opening a path gives if something else than a regular file took its place. */
const NO_FILE: readonly string[] = ["ELOOP", "EISDIR", "ENOTDIR", "ENXIO"];

/** One file of a home, as far as it was sent in this connection or is at the other end already. */
export class SentFile {
  readonly #files: Pick<Files, "readChunk" | "stat">;
  readonly #path: string;
  readonly #full: string;
  #hash: Hash = createHash("sha256");
  #sentBytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #stat: FileStat | undefined;
  #isThere = false;
  /** Whether all that was sent was compared with a file that has not changed since. */
  #isVerified = false;

  /** @param full the absolute path here */
  constructor(files: Pick<Files, "readChunk" | "stat">, path: string, full: string) {
    this.#files = files;
    this.#path = path;
    this.#full = full;
  }

  /** What the other end says that it has: believed only as far as its digest is that of the beginning here. */
  acknowledge(have: { readonly bytes: number; readonly sha256: string }): void {
    const prefix = digestPrefix(this.#full, have.bytes);
    // What cannot be read, or is no file any more, is looked at like all others.
    if (!prefix.ok || prefix.value?.bytes !== have.bytes) return;
    if (digestOf(prefix.value.hash) !== have.sha256) return;
    this.#hash = prefix.value.hash;
    this.#sentBytes = have.bytes;
    const tailBytes = Math.min(TAIL_BYTES, have.bytes);
    const tail = this.#files.readChunk(this.#full, have.bytes - tailBytes, tailBytes);
    // If it has changed since it was digested, the next digest shows that.
    if (tail.ok) this.#keepTail(tail.value);
    this.#isThere = true;
  }

  /** Sends what is new up to the size in `stat`, which was read before the commits that records may name were sent. */
  async send(stat: FileStat, look: SendingLook, send: Send): Promise<Result<Sending, FileFailure>> {
    if (this.#isUnchanged(stat, look)) return ok("same");
    const sent = await this.#sendNew(stat, look, send);
    if (!sent.ok && NO_FILE.includes(sent.failure.errno)) return ok("changing");
    if (!sent.ok) return sent;
    if (sent.value === "changing") this.#stat = undefined;
    else this.#stat = stat;
    this.#isVerified &&= isSettled(stat, look);
    return sent;
  }

  async #sendNew(
    stat: FileStat,
    look: SendingLook,
    send: Send,
  ): Promise<Result<Sending, FileFailure>> {
    const continues = this.#isThere ? this.#continues(stat, look) : ok(false);
    if (!continues.ok) return continues;
    if (continues.value && this.#sentBytes === stat.sizeBytes) return ok("same");
    return continues.value && isGrowing(this.#path)
      ? this.#sendAppends(stat, send)
      : this.#sendWhole(stat, send);
  }

  #isUnchanged(stat: FileStat, { isFull }: SendingLook): boolean {
    if (this.#stat === undefined || !isSame(this.#stat, stat)) return false;
    return this.#isVerified || (isGrowing(this.#path) && !isFull);
  }

  /** Whether what was sent is still the beginning of the file. */
  #continues(stat: FileStat, { isFull }: SendingLook): Result<boolean, FileFailure> {
    if (stat.sizeBytes < this.#sentBytes) return ok(false);
    const isKnown = this.#stat?.inode === stat.inode && isGrowing(this.#path);
    // The same file of a kind that only grows: almost nothing but an append can have changed it.
    if (isKnown && (!isFull || stat.sizeBytes > VERIFIED_BYTES_MAX)) {
      this.#isVerified = stat.sizeBytes > VERIFIED_BYTES_MAX;
      return this.#hasTail();
    }
    const prefix = digestPrefix(this.#full, this.#sentBytes);
    if (!prefix.ok) return prefix;
    const { value } = prefix;
    this.#isVerified =
      value?.bytes === this.#sentBytes && digestOf(value.hash) === digestOf(this.#hash);
    return ok(this.#isVerified);
  }

  #hasTail(): Result<boolean, FileFailure> {
    const { length } = this.#tail;
    const read = this.#files.readChunk(this.#full, this.#sentBytes - length, length);
    return read.ok ? ok(this.#tail.equals(read.value)) : read;
  }

  async #sendAppends(stat: FileStat, send: Send): Promise<Result<Sending, FileFailure>> {
    while (this.#sentBytes < stat.sizeBytes) {
      const at = this.#sentBytes;
      const read = this.#read(at, stat.sizeBytes);
      if (!read.ok) return read;
      const bytes = read.value;
      // It was cut, or is another file meanwhile.
      if (bytes.length === 0 || !this.#isStill(stat)) return ok("changing");
      const header = { kind: "append", path: this.#path, at, bytes: bytes.length } as const;
      await send(encodeFrame(header, bytes));
      this.#hash.update(bytes);
      this.#sentBytes += bytes.length;
      this.#keepTail(bytes);
    }
    return ok("sent");
  }

  async #sendWhole(stat: FileStat, send: Send): Promise<Result<Sending, FileFailure>> {
    const { sizeBytes } = stat;
    const hash = createHash("sha256");
    let tail: Uint8Array = new Uint8Array();
    let at = 0;
    for (let isLast = false; !isLast;) {
      const read = this.#read(at, sizeBytes);
      if (!read.ok) return read;
      const bytes = read.value;
      isLast = at + bytes.length >= sizeBytes;
      // Parts without a last one are dropped at the other end.
      const isCut = bytes.length === 0 && !isLast;
      if (isCut || !this.#isStill(stat)) return ok("changing");
      const part = { isFirst: at === 0, isLast, bytes: bytes.length };
      await send(encodeFrame({ kind: "replace", path: this.#path, ...part }, bytes));
      hash.update(bytes);
      at += bytes.length;
      tail = bytes.length > 0 ? bytes : tail;
    }
    this.#hash = hash;
    this.#sentBytes = at;
    this.#isThere = true;
    this.#isVerified = true;
    this.#tail = Buffer.alloc(0);
    this.#keepTail(tail);
    return ok("sent");
  }

  /** Whether what was just read belongs to the file that was looked at. */
  #isStill(stat: FileStat): boolean {
    const now = this.#files.stat(this.#full);
    if (now === undefined) return false;
    return isGrowing(this.#path) ? now.inode === stat.inode : isSame(now, stat);
  }

  #keepTail(bytes: Uint8Array): void {
    if (!isGrowing(this.#path)) return;
    const end = bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES));
    const all = Buffer.concat([this.#tail, end]);
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - TAIL_BYTES)));
  }

  #read(at: number, sizeBytes: number): Result<Uint8Array, FileFailure> {
    return this.#files.readChunk(this.#full, at, Math.min(FRAME_BYTES_MAX, sizeBytes - at));
  }
}

function isSame(one: FileStat, other: FileStat): boolean {
  return (
    one.sizeBytes === other.sizeBytes &&
    one.inode === other.inode &&
    one.changedMs === other.changedMs
  );
}

/** Whether any later change shows in the state of the file. */
function isSettled({ changedMs }: FileStat, { nowMs }: SendingLook): boolean {
  const ageMs = changedMs === undefined ? 0 : nowMs - changedMs;
  return ageMs > SETTLED_MS || ageMs < 0;
}

function digestOf(hash: Hash): string {
  return hash.copy().digest("hex");
}
