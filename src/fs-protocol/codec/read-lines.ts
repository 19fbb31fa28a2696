import { isAscii } from "node:buffer";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { LINE_BYTES_MAX, READ_CHUNK_BYTES } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * One complete line, without its newline. `text` is undefined if the line is too long or not UTF-8.
 */
export interface Line {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  readonly text: string | undefined;
}

/** A reader's position in an append-only file: the byte after the last newline that it read. */
export interface Cursor {
  readonly offsetBytes: number;
  readonly inode: number;
}

export const START: Cursor = { offsetBytes: 0, inode: 0 };

/** Receives what is read. */
export interface LineTaker {
  readonly line: (line: Line) => void;
  /** Each piece of the file, before its lines; the first piece of a read starts with a line. */
  readonly piece?: ((bytes: Uint8Array) => void) | undefined;
  /**
   * The file is not the one that the cursor belongs to: discard everything, the lines come again.
   */
  readonly restart: () => void;
}

/**
 * Reads every complete line from `from` to the end, in chunks, and passes each to `taker`. Bytes
 * after the last newline are a write in progress and are left for the next read. A file that became
 * shorter, or was replaced, is read from its start: keys make repeated records harmless.
 */
export function readLines(
  files: Files,
  path: string,
  from: Cursor,
  taker: LineTaker,
): Result<Cursor, FileFailure> {
  const stat = files.stat(path);
  const same = isSameFile(files, path, stat, from);
  if (!same.ok) return same;
  if (!same.value) taker.restart();
  if (stat === undefined) return ok(START);
  if (stat.sizeBytes === 0 && stat.inode !== from.inode) {
    // A pipe or device in the file's place has length 0 too; reading it fails here.
    const opened = files.readChunk(path, 0, 1);
    if (!opened.ok) return opened;
  }
  let offsetBytes = same.value ? from.offsetBytes : 0;
  const splitter = new LineSplitter(offsetBytes, taker.line);
  while (offsetBytes < stat.sizeBytes) {
    const chunk = files.readChunk(path, offsetBytes, READ_CHUNK_BYTES);
    if (!chunk.ok) return chunk;
    if (chunk.value.length === 0) break;
    taker.piece?.(chunk.value);
    splitter.push(chunk.value);
    offsetBytes += chunk.value.length;
  }
  return ok({ offsetBytes: splitter.lineStartBytes, inode: stat.inode });
}

/**
 * Whether the file is still the one that was read up to `from`. A file that was truncated and
 * rewritten beyond the cursor keeps its inode; in that case the byte before the cursor very
 * probably is not a newline.
 */
function isSameFile(
  files: Files,
  path: string,
  stat: ReturnType<Files["stat"]>,
  from: Cursor,
): Result<boolean, FileFailure> {
  if (from.inode === START.inode && from.offsetBytes === 0) return ok(true);
  if (stat?.inode !== from.inode || stat.sizeBytes < from.offsetBytes) return ok(false);
  if (from.offsetBytes === 0 || stat.sizeBytes === from.offsetBytes) return ok(true);
  const before = files.readChunk(path, from.offsetBytes - 1, 1);
  return before.ok ? ok(before.value[0] === NEWLINE) : before;
}

/** Splits chunks into lines. Buffers at most one line, and no more of it than the limit. */
class LineSplitter {
  lineStartBytes: number;
  readonly #take: (line: Line) => void;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(offsetBytes: number, take: (line: Line) => void) {
    this.lineStartBytes = offsetBytes;
    this.#take = take;
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isPlain = isAscii(chunk);
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (isPlain && this.#pendingBytes === 0) this.#emitPlain(chunk, from, at);
      else this.#emit(chunk.subarray(from, at));
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** A line within one chunk of ASCII, which is the usual case: it needs no UTF-8 decoder. */
  #emitPlain(chunk: Buffer, from: number, newline: number): void {
    const lengthBytes = newline - from + 1;
    const offsetBytes = this.lineStartBytes;
    this.lineStartBytes += lengthBytes;
    const end = chunk[newline - 1] === CARRIAGE_RETURN ? Math.max(from, newline - 1) : newline;
    if (end > from)
      this.#take({ offsetBytes, lengthBytes, text: chunk.toString("latin1", from, end) });
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0) return;
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes <= LINE_BYTES_MAX) this.#pending.push(rest);
    else this.#pending = [];
  }

  #emit(end: Uint8Array): void {
    const lengthBytes = this.#pendingBytes + end.length + 1;
    const text = lengthBytes > LINE_BYTES_MAX ? undefined : decode([...this.#pending, end]);
    const isEmpty = text === "";
    const offsetBytes = this.lineStartBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.lineStartBytes += lengthBytes;
    if (!isEmpty) this.#take({ offsetBytes, lengthBytes, text });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(parts: readonly Uint8Array[]): string | undefined {
  let bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts);
  if (bytes?.at(-1) === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1);
  try {
    const text = utf8.decode(bytes);
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}
