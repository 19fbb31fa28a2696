import { createHash, type Hash } from "node:crypto";
import { need } from "../base/fatal.ts";
import { READ_CHUNK_BYTES } from "../base/limits.ts";
import type { Files } from "../base/ports/files.ts";

/** A longer journal cannot be restored; one with a million records is shorter. */
export const JOURNAL_BYTES_MAX = 512 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Errors when the path is a symbolic link, a directory, or a FIFO or device. */
const NOT_A_FILE: ReadonlySet<string> = new Set(["ELOOP", "EISDIR", "ENXIO"]);

/** SHA-256 of the first `length` bytes of a file, to be continued. */
export function digestUpTo(files: Files, path: string, length: number): Hash {
  const digest = createHash("sha256");
  for (let at = 0; at < length; at += READ_CHUNK_BYTES) {
    digest.update(need(files.readChunk(path, at, Math.min(READ_CHUNK_BYTES, length - at))));
  }
  return digest;
}

/** A whole log; undefined if it is missing or something else is at its path. */
export function readLog(files: Files, path: string): Uint8Array | undefined {
  const read = files.read(path, JOURNAL_BYTES_MAX);
  if (!read.ok && NOT_A_FILE.has(read.failure.errno)) return undefined;
  return need(read);
}

/** Whether two files begin with the same `length` bytes. */
export function isSameUpTo(files: Files, one: string, other: string, length: number): boolean {
  for (let at = 0; at < length; at += READ_CHUNK_BYTES) {
    const count = Math.min(READ_CHUNK_BYTES, length - at);
    const first = readPiece(files, one, at, count);
    const second = need(files.readChunk(other, at, count));
    if (first === undefined || Buffer.compare(first, second) !== 0) return false;
  }
  // An empty file is read too, because a pipe at its path also has no length.
  return length > 0 || readPiece(files, one, 0, 1) !== undefined;
}

/**
 * Undefined if something other than a file is at the path. If the disk fails to read, its content is unknown: then the
 * process ends, so that nothing overwrites what the role may have written.
 */
export function readPiece(files: Files, path: string, offset: number, length: number) {
  const read = files.readChunk(path, offset, length);
  if (!read.ok && NOT_A_FILE.has(read.failure.errno)) return undefined;
  return need(read);
}

/** The offset after the last newline before `end`, or 0. */
export function endOfLastLine(files: Files, path: string, end: number): number {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - READ_CHUNK_BYTES);
    const at = need(files.readChunk(path, from, to - from)).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
    to = from;
  }
  return 0;
}
