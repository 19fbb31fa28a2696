import { createHash } from "node:crypto";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";

const NEWLINE = 0x0a;

/** The SHA-256 of an append-only file up to its last complete line, kept while the file is read. */
export class PrefixDigest {
  /** Of everything up to the last newline. */
  #lines = createHash("sha256");
  #linesBytes = 0;
  /** Of that, and of what was read behind it. */
  #all = createHash("sha256");
  #allBytes = 0;

  /** To be called before each read, which starts behind the last newline again. */
  begin(): void {
    this.#all = this.#lines.copy();
    this.#allBytes = this.#linesBytes;
  }

  /** To be called with each piece that was read, in order. */
  push(bytes: Uint8Array): void {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#all.update(bytes.subarray(0, end));
    if (end > 0) {
      this.#lines = this.#all.copy();
      this.#linesBytes = this.#allBytes + end;
    }
    this.#all.update(bytes.subarray(end));
    this.#allBytes += bytes.length;
  }

  copy(): PrefixDigest {
    const copy = new PrefixDigest();
    copy.#lines = this.#lines.copy();
    copy.#linesBytes = this.#linesBytes;
    copy.begin();
    return copy;
  }

  /** How much of the file it is of, in bytes. */
  get sizeBytes(): number {
    return this.#linesBytes;
  }

  /** In hexadecimal digits. */
  get value(): string {
    return this.#lines.copy().digest("hex");
  }
}

/** The beginning of a file, by its length in bytes and their SHA-256. */
export interface Prefix {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The digest of a file's beginning, if it is still the same; otherwise undefined. */
export function sameBeginning(
  files: Pick<Files, "readChunk">,
  path: string,
  { sizeBytes, sha256 }: Prefix,
): PrefixDigest | undefined {
  const digest = new PrefixDigest();
  for (let at = 0; at < sizeBytes;) {
    const piece = files.readChunk(path, at, Math.min(READ_CHUNK_BYTES, sizeBytes - at));
    if (!piece.ok || piece.value.length === 0) return undefined;
    digest.push(piece.value);
    at += piece.value.length;
  }
  return digest.sizeBytes === sizeBytes && digest.value === sha256 ? digest : undefined;
}
