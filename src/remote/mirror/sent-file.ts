import { createHash, type Hash } from "node:crypto";
import type { FileFailure, Files, FileStat } from "../../base/ports/files.ts";
import { FRAME_BYTES_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { digestPrefix } from "../../host/files/mirror-file.ts";
import { encodeFrame } from "./frame.ts";
import { isGrowing } from "./mirrored-path.ts";

/** Hands over bytes; resolves when more are wanted. */
export type Send = (bytes: Uint8Array) => Promise<void>;

/** One file of a home, as far as it was sent in this connection or is at the other end already. */
export class SentFile {
  readonly #files: Pick<Files, "readChunk">;
  readonly #path: string;
  readonly #full: string;
  #hash: Hash = createHash("sha256");
  #sentBytes = 0;
  #stat: FileStat | undefined;
  #isThere = false;

  /** @param full the absolute path here */
  constructor(files: Pick<Files, "readChunk">, path: string, full: string) {
    this.#files = files;
    this.#path = path;
    this.#full = full;
  }

  /** What the other end says that it has: believed only as far as its digest is that of the beginning here. */
  acknowledge(have: {
    readonly bytes: number;
    readonly sha256: string;
  }): Result<void, FileFailure> {
    const prefix = digestPrefix(this.#full, have.bytes);
    if (!prefix.ok) return prefix;
    const { value } = prefix;
    const isSame = value?.bytes === have.bytes && digestOf(value.hash) === have.sha256;
    if (value === undefined || !isSame) return ok(undefined);
    this.#hash = value.hash;
    this.#sentBytes = have.bytes;
    this.#isThere = true;
    return ok(undefined);
  }

  /** Sends what is new up to the size in `stat`, which was read before the commits that records may name were sent. */
  async send(stat: FileStat, send: Send): Promise<Result<boolean, FileFailure>> {
    if (this.#isUnchanged(stat)) return ok(false);
    const continues = this.#isThere ? this.#continues(stat) : ok(false);
    if (!continues.ok) return continues;
    if (continues.value && this.#sentBytes === stat.sizeBytes) {
      this.#stat = stat;
      return ok(false);
    }
    const sent =
      continues.value && isGrowing(this.#path)
        ? await this.#sendAppends(stat.sizeBytes, send)
        : await this.#sendWhole(stat.sizeBytes, send);
    if (sent.ok) this.#stat = stat;
    return sent.ok ? ok(true) : sent;
  }

  #isUnchanged(stat: FileStat): boolean {
    const before = this.#stat;
    return (
      before !== undefined &&
      before.sizeBytes === stat.sizeBytes &&
      before.inode === stat.inode &&
      before.changedMs === stat.changedMs
    );
  }

  /** Whether what was sent is still the beginning of the file. */
  #continues(stat: FileStat): Result<boolean, FileFailure> {
    if (stat.sizeBytes < this.#sentBytes) return ok(false);
    const hasGrown = this.#stat?.inode === stat.inode && stat.sizeBytes > this.#sentBytes;
    // The same file of a kind that only grows: nothing but an append can have changed its size.
    if (hasGrown && isGrowing(this.#path)) return ok(true);
    const prefix = digestPrefix(this.#full, this.#sentBytes);
    if (!prefix.ok) return prefix;
    const { value } = prefix;
    return ok(value?.bytes === this.#sentBytes && digestOf(value.hash) === digestOf(this.#hash));
  }

  async #sendAppends(sizeBytes: number, send: Send): Promise<Result<void, FileFailure>> {
    while (this.#sentBytes < sizeBytes) {
      const at = this.#sentBytes;
      const read = this.#read(at, sizeBytes);
      if (!read.ok) return read;
      const bytes = read.value;
      // It was cut meanwhile: the next look sends it as another file.
      if (bytes.length === 0) return ok(undefined);
      const header = { kind: "append", path: this.#path, at, bytes: bytes.length } as const;
      await send(encodeFrame(header, bytes));
      this.#hash.update(bytes);
      this.#sentBytes += bytes.length;
    }
    return ok(undefined);
  }

  async #sendWhole(sizeBytes: number, send: Send): Promise<Result<void, FileFailure>> {
    const hash = createHash("sha256");
    let at = 0;
    for (let isLast = false; !isLast;) {
      const read = this.#read(at, sizeBytes);
      if (!read.ok) return read;
      const bytes = read.value;
      isLast = at + bytes.length >= sizeBytes || bytes.length === 0;
      const part = { isFirst: at === 0, isLast, bytes: bytes.length };
      await send(encodeFrame({ kind: "replace", path: this.#path, ...part }, bytes));
      hash.update(bytes);
      at += bytes.length;
    }
    this.#hash = hash;
    this.#sentBytes = at;
    this.#isThere = true;
    return ok(undefined);
  }

  #read(at: number, sizeBytes: number): Result<Uint8Array, FileFailure> {
    return this.#files.readChunk(this.#full, at, Math.min(FRAME_BYTES_MAX, sizeBytes - at));
  }
}

function digestOf(hash: Hash): string {
  return hash.copy().digest("hex");
}
