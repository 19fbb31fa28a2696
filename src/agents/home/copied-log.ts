import { createHash, type Hash } from "node:crypto";
import { dirname } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { SEAL, type Files, FileFailure } from "../../base/ports/files.ts";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import type { EditKeeper } from "./edit-keeper.ts";
import type { ExpectedContent } from "./protected-file.ts";
import { readRest } from "./read-rest.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** A file of the home, its copy outside of it, and what keeps what others wrote into the file. */
export interface CopiedPlace {
  readonly path: string;
  readonly copyPath: string;
  readonly edits: Pick<EditKeeper, "restore">;
}

/** Bytes of a journal that can be put back; one of a million records is shorter. */
const JOURNAL_BYTES_MAX = 512 * 1024 * 1024;
/** A copy that has to be made from nothing is made in pieces of this size. */
const COPY_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
/** A symbolic link, a directory, and a FIFO or a device. */
const NO_FILE: ReadonlySet<string> = new Set(["ELOOP", "EISDIR", "ENXIO"]);

/**
 * A role's journal and a copy of it outside of the session's home. What the role has written can be
 * put back from the copy after somebody edited, cut or removed the journal, also while the role was
 * not running. The copy is never ahead of the journal, so what stands behind it there is the role's own.
 * A copy that is removed or changed while the role runs is made again of the journal, by the digest of what the
 * role wrote into it; where the journal was changed as well, the process ends.
 */
export class CopiedLog implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #copyPath: string;
  readonly #edits: Pick<EditKeeper, "restore">;
  #copiedBytes = 0;
  /** Of what the copy holds. */
  #digest = createHash("sha256");
  /** Written behind that, and not yet in the copy. */
  #pending: Uint8Array[] = [];
  /** Appended by the role behind both, and not yet read back. */
  #unread: Uint8Array[] = [];

  constructor(files: Files, { path, copyPath, edits }: CopiedPlace) {
    this.path = path;
    this.#files = files;
    this.#copyPath = copyPath;
    this.#edits = edits;
  }

  /** Compares journal and copy at start, completes the copy, or puts the journal back and says how it was found. */
  open(): Restoration | undefined {
    this.flush();
    this.#copiedBytes = this.#wholeCopy();
    this.#digest = digestUpTo(this.#files, this.#copyPath, this.#copiedBytes);
    const found = this.#compare();
    if (found === undefined || found === "grown") {
      this.#copyRest();
      return undefined;
    }
    return { found, copy: this.#restore() };
  }

  /** How long the journal is at the least, if nobody has taken anything away. */
  get sizeBytes(): number {
    return this.#copiedBytes + sizeOf(this.#pending) + sizeOf(this.#unread);
  }

  /** After an append of the role's own. */
  wrote(bytes: Uint8Array): void {
    this.#unread.push(bytes);
    this.#settle();
  }

  /**
   * Reads back what was appended, with the seal of a torn line before it. A disk that fails to read it is
   * asked again: it is the role's own all the same.
   */
  #settle(): void {
    if (this.#unread.length === 0) return;
    const own = Buffer.concat(this.#unread);
    const from = this.#copiedBytes + sizeOf(this.#pending);
    const rest = readRest(this.#files, this.path, { from, written: own.length });
    const at = rest.indexOf(own);
    this.#pending.push(at < 0 ? own : rest.subarray(0, at + own.length));
    this.#unread = [];
  }

  /**
   * Brings the copy up to what was written. What could not be copied stays the role's own: others of this
   * process may go on for a while after the one that met the failure.
   */
  flush(): void {
    this.#settle();
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    if (this.#files.stat(this.#copyPath)?.sizeBytes !== this.#copiedBytes) this.#mendCopy();
    need(this.#files.append(this.#copyPath, bytes));
    this.#pending = [];
    this.#copied(bytes);
  }

  #copied(bytes: Uint8Array): void {
    this.#digest.update(bytes);
    this.#copiedBytes += bytes.length;
  }

  /**
   * Makes the copy again what the role wrote into it: without what an append that failed half-way left at its end,
   * or of the journal where somebody removed or changed it. Whatever is left holds less than the role wrote where
   * the journal was changed, too: nothing is put back by that, and the process ends.
   */
  #mendCopy(): void {
    if (this.#copiedBytes === 0 && this.#files.stat(this.#copyPath) === undefined) return;
    const copy = readLog(this.#files, this.#copyPath);
    if (copy !== undefined && this.#isWhole(copy)) {
      if (copy.length === this.#copiedBytes) return;
      need(this.#files.replace(this.#copyPath, copy.subarray(0, this.#copiedBytes)));
      return;
    }
    const journal = readLog(this.#files, this.path);
    if (journal === undefined || !this.#isWhole(journal)) {
      const altered = { operation: "read", path: this.path, errno: "EALTERED" } as const;
      throw new CannotGoOn(FileFailure(altered));
    }
    need(this.#files.makeDirectory(dirname(this.#copyPath)));
    need(this.#files.replace(this.#copyPath, journal.subarray(0, this.#copiedBytes)));
  }

  /** Whether these bytes begin with all that the role wrote into the copy. */
  #isWhole(bytes: Uint8Array): boolean {
    if (bytes.length < this.#copiedBytes) return false;
    const digest = createHash("sha256").update(bytes.subarray(0, this.#copiedBytes)).digest();
    return digest.equals(this.#digest.copy().digest());
  }

  /** How the log is found, beside a copy of which nobody else writes at this moment; changes nothing. */
  peek(): FileDamage | undefined {
    this.#copiedBytes = this.#files.stat(this.#copyPath)?.sizeBytes ?? 0;
    return this.#compare();
  }

  /** Puts the journal back if it does not hold what the role has written, and nothing else. */
  check(): Restoration | undefined {
    this.flush();
    if (this.#compare() === undefined) return undefined;
    // Nothing is put back by a copy that is not what was written into it.
    this.#mendCopy();
    const found = this.#compare();
    return found && { found, copy: this.#restore() };
  }

  #compare(): FileDamage | undefined {
    const size = this.#files.stat(this.path)?.sizeBytes;
    if (size === undefined) return this.#isGone() ? "missing" : undefined;
    const common = Math.min(size, this.#copiedBytes);
    if (!isSameUpTo(this.#files, this.path, this.#copyPath, common)) return "edited";
    if (size < this.#copiedBytes) return "cut";
    return size > this.#copiedBytes ? "grown" : undefined;
  }

  /** Whether there is nothing where there was a journal: `stat` finds nothing on a failing disk, either. */
  #isGone(): boolean {
    return this.#copiedBytes > 0 && need(this.#files.read(this.path, 0)) === undefined;
  }

  /** What was found is kept first: somebody may have meant something by it. */
  #restore(): string | undefined {
    const bytes = need(this.#files.read(this.#copyPath, JOURNAL_BYTES_MAX)) ?? new Uint8Array();
    return this.#edits.restore(this.path, bytes.subarray(0, this.#copiedBytes));
  }

  /**
   * The copy without the fragment that a killed process, a full disk or a power cut left at its end; its
   * length. A sealed one goes as well: if the journal has it, too, it is copied again.
   */
  #wholeCopy(): number {
    const size = this.#files.stat(this.#copyPath)?.sizeBytes ?? 0;
    let whole = endOfLastLine(this.#files, this.#copyPath, size);
    while (this.#isSealAt(whole)) whole = endOfLastLine(this.#files, this.#copyPath, whole - 1);
    if (whole === size) return size;
    const bytes = need(this.#files.read(this.#copyPath, JOURNAL_BYTES_MAX)) ?? new Uint8Array();
    need(this.#files.replace(this.#copyPath, bytes.subarray(0, whole)));
    return whole;
  }

  /** Whether what the copy holds up to here ends in a sealed fragment. */
  #isSealAt(end: number): boolean {
    if (end < SEAL.length) return false;
    const last = need(this.#files.readChunk(this.#copyPath, end - SEAL.length, SEAL.length));
    return Buffer.from(last).toString("latin1") === SEAL;
  }

  #copyRest(): void {
    const size = this.#files.stat(this.path)?.sizeBytes ?? 0;
    const end = endOfLastLine(this.#files, this.path, size);
    while (this.#copiedBytes < end) {
      const length = Math.min(COPY_BYTES, end - this.#copiedBytes);
      const piece = need(this.#files.readChunk(this.path, this.#copiedBytes, length));
      const lines = piece.subarray(0, piece.lastIndexOf(NEWLINE) + 1);
      // No line of ours is as long as a piece: then it is of somebody else, and copied no further.
      if (lines.length === 0) return;
      need(this.#files.append(this.#copyPath, lines));
      this.#copied(lines);
    }
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function digestUpTo(files: Files, path: string, length: number): Hash {
  const digest = createHash("sha256");
  for (let at = 0; at < length; at += READ_CHUNK_BYTES) {
    digest.update(need(files.readChunk(path, at, Math.min(READ_CHUNK_BYTES, length - at))));
  }
  return digest;
}

/** A whole log; undefined where there is none, or something else lies in its place. */
function readLog(files: Files, path: string): Uint8Array | undefined {
  const read = files.read(path, JOURNAL_BYTES_MAX);
  if (!read.ok && NO_FILE.has(read.failure.errno)) return undefined;
  return need(read);
}

function isSameUpTo(files: Files, one: string, other: string, length: number): boolean {
  for (let at = 0; at < length; at += READ_CHUNK_BYTES) {
    const count = Math.min(READ_CHUNK_BYTES, length - at);
    const first = readFile(files, one, at, count);
    const second = need(files.readChunk(other, at, count));
    if (first === undefined || Buffer.compare(first, second) !== 0) return false;
  }
  // An empty journal is read, too: a pipe in its place has no length.
  return length > 0 || readFile(files, one, 0, 1) !== undefined;
}

/**
 * Undefined where something else has been put in the file's place. A disk that fails to read says
 * nothing of what is on it: then the role ends, and nothing is put back over what it may have written.
 */
function readFile(files: Files, path: string, offset: number, length: number) {
  const read = files.readChunk(path, offset, length);
  if (!read.ok && NO_FILE.has(read.failure.errno)) return undefined;
  return need(read);
}

/** The offset behind the last newline before `end`. */
function endOfLastLine(files: Files, path: string, end: number): number {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - READ_CHUNK_BYTES);
    const at = need(files.readChunk(path, from, to - from)).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
    to = from;
  }
  return 0;
}
