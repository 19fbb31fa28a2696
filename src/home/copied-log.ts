import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { CannotGoOn, need } from "../base/fatal.ts";
import { SEAL, type Files, type FileStat, FileFailure } from "../base/ports/files.ts";
import type { EditKeeper } from "./edit-keeper.ts";
import {
  digestUpTo,
  endOfLastLine,
  isSameUpTo,
  JOURNAL_BYTES_MAX,
  readLog,
  readPiece,
} from "./log-pieces.ts";
import type { ExpectedContent } from "./protected-file.ts";
import { readRest } from "./read-rest.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** A file of the home, its copy outside the home, and what restores it and keeps foreign edits. */
export interface CopiedPlace {
  readonly path: string;
  readonly copyPath: string;
  readonly edits: Pick<EditKeeper, "restore">;
  /**
   * Whether most comparisons may be of what was added alone: for text that no decision depends on, and that several
   * processes append to all the time. Absent: each comparison is of the whole.
   */
  readonly isProse?: boolean | undefined;
}

/** A journal and its copy when they were equal, as inodes, and how long they were when they were compared as a whole. */
interface Agreed {
  readonly inodes: string;
  readonly wholeBytes: number;
}

/** How many times longer a file has become when it is compared as a whole again. */
const WHOLE_AGAIN = 1.125;

/** The journal is copied in pieces of this size. */
const COPY_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * A role's journal and its copy outside the session's home. If another process edits, cuts or removes the journal, it
 * is restored from the copy, even if that happened while the role was not running. The copy is never ahead of the
 * journal, so whatever the journal holds beyond the copy counts as the role's own.
 * If the copy is removed or changed while the role runs, it is recreated from the journal, which is checked against the
 * digest of what the role wrote. If the journal was changed too, the process ends.
 */
export class CopiedLog implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #copyPath: string;
  readonly #edits: Pick<EditKeeper, "restore">;
  readonly #isProse: boolean;
  #agreed: Agreed | undefined;
  #copiedBytes = 0;
  /** SHA-256 of the copy's content. */
  #digest = createHash("sha256");
  /** Written to the journal after that, and not yet in the copy. */
  #pending: Uint8Array[] = [];
  /** Appended by the role after both, and not yet read back. */
  #unread: Uint8Array[] = [];

  constructor(files: Files, { path, copyPath, edits, isProse = false }: CopiedPlace) {
    this.path = path;
    this.#files = files;
    this.#copyPath = copyPath;
    this.#edits = edits;
    this.#isProse = isProse;
  }

  /** Compares journal and copy at start. Completes the copy, or restores the journal and returns how it was damaged. */
  open(): Restoration | undefined {
    this.flush();
    if (this.#readOn()) return undefined;
    this.#copiedBytes = this.#wholeCopy();
    this.#digest = digestUpTo(this.#files, this.#copyPath, this.#copiedBytes);
    const found = this.#compareWhole();
    if (found === undefined || found === "grown") {
      this.#copyRest();
      return undefined;
    }
    return { found, copy: this.#restore() };
  }

  /** The least length of an intact journal, in bytes. */
  get sizeBytes(): number {
    return this.#copiedBytes + sizeOf(this.#pending) + sizeOf(this.#unread);
  }

  /** To be called after the role itself appended these bytes. */
  wrote(bytes: Uint8Array): void {
    this.#unread.push(bytes);
    this.#settle();
  }

  /**
   * Reads back what was appended, because a seal of a torn line may precede it. If the disk fails to read, the bytes
   * stay unread until the next call: they are the role's own in any case.
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
   * Appends to the copy what was written to the journal. What could not be copied stays pending, because other work of
   * this process may go on for a while after the failure.
   */
  flush(): void {
    this.#settle();
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    if (this.#files.stat(this.#copyPath)?.sizeBytes !== this.#copiedBytes) this.#restoreCopy();
    need(this.#files.append(this.#copyPath, bytes));
    this.#pending = [];
    this.#copied(bytes);
  }

  #copied(bytes: Uint8Array): void {
    this.#digest.update(bytes);
    this.#copiedBytes += bytes.length;
  }

  /**
   * Makes the copy hold exactly what the role wrote into it. Cuts what a half-finished append left at its end, or
   * recreates it from the journal if another process removed or changed it. If the journal was changed too, neither
   * holds all that the role wrote: then nothing is restored and the process ends.
   */
  #restoreCopy(): void {
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

  /** Compares the log with a copy that no other process is writing, and returns its damage; changes nothing. */
  peek(): FileDamage | undefined {
    if (this.#readOn()) return undefined;
    this.#copiedBytes = this.#files.stat(this.#copyPath)?.sizeBytes ?? 0;
    this.#digest = digestUpTo(this.#files, this.#copyPath, this.#copiedBytes);
    return this.#compareWhole();
  }

  #compareWhole(): FileDamage | undefined {
    const journal = this.#files.stat(this.path);
    const copy = this.#files.stat(this.#copyPath);
    const found = this.#compare();
    const isEqual = this.#isProse && found === undefined && copy?.sizeBytes === this.#copiedBytes;
    this.#agreed = isEqual
      ? { inodes: inodesOf(journal, copy), wholeBytes: this.#copiedBytes }
      : undefined;
    return found;
  }

  /**
   * Compares only what was added since the last comparison, and returns whether that was enough. It is not if anything
   * may have happened but appends whose copies are complete: each process compares before it appends, and completes the
   * copy right afterwards, so a journal that was changed otherwise is newer than its copy. What is changed between these
   * two is found when the whole is compared again, which happens at each start and whenever an eighth was added.
   */
  #readOn(): boolean {
    const journal = this.#files.stat(this.path);
    const copy = this.#files.stat(this.#copyPath);
    const size = journal?.sizeBytes ?? 0;
    if (this.#agreed?.inodes !== inodesOf(journal, copy) || copy?.sizeBytes !== size) return false;
    if (!isOlder(journal, copy) || size > this.#agreed.wholeBytes * WHOLE_AGAIN) return false;
    const from = this.#copiedBytes;
    if (size < from || sizeOf(this.#pending) + sizeOf(this.#unread) > 0) return false;
    if (size === from) return true;
    const added = need(this.#files.readChunk(this.#copyPath, from, size - from));
    const found = readPiece(this.#files, this.path, from, size - from);
    if (found === undefined || Buffer.compare(found, added) !== 0) return false;
    // A copy that ends otherwise has to be cut first.
    if (added.length !== size - from || added.at(-1) !== NEWLINE || isSealed(added)) return false;
    this.#copied(added);
    return true;
  }

  /** Restores the journal unless it holds exactly what the role has written. */
  check(): Restoration | undefined {
    this.flush();
    if (this.#compare() === undefined) return undefined;
    // The journal must not be restored from a damaged copy.
    this.#restoreCopy();
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

  /** Whether the journal is really missing. Reads it, because `stat` finds nothing on a failing disk, too. */
  #isGone(): boolean {
    return this.#copiedBytes > 0 && need(this.#files.read(this.path, 0)) === undefined;
  }

  /** Restores the journal; keeps what was found, because a person may have meant it. Returns the path of that copy. */
  #restore(): string | undefined {
    const bytes = need(this.#files.read(this.#copyPath, JOURNAL_BYTES_MAX)) ?? new Uint8Array();
    return this.#edits.restore(this.path, bytes.subarray(0, this.#copiedBytes));
  }

  /**
   * Cuts the fragment of a line that a killed process, a full disk or a power cut left at the end of the copy, and
   * returns the copy's length in bytes. Also cuts a sealed fragment: if the journal has it too, it is copied again.
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

  /** Whether the copy's content before offset `end` ends with a sealed fragment. */
  #isSealAt(end: number): boolean {
    if (end < SEAL.length) return false;
    return isSealed(need(this.#files.readChunk(this.#copyPath, end - SEAL.length, SEAL.length)));
  }

  #copyRest(): void {
    const size = this.#files.stat(this.path)?.sizeBytes ?? 0;
    const end = endOfLastLine(this.#files, this.path, size);
    while (this.#copiedBytes < end) {
      const length = Math.min(COPY_BYTES, end - this.#copiedBytes);
      const piece = need(this.#files.readChunk(this.path, this.#copiedBytes, length));
      const lines = piece.subarray(0, piece.lastIndexOf(NEWLINE) + 1);
      // No line of wisp's is as long as a piece: another program wrote this, so copying stops here.
      if (lines.length === 0) return;
      need(this.#files.append(this.#copyPath, lines));
      this.#copied(lines);
    }
  }
}

function inodesOf(journal: FileStat | undefined, copy: FileStat | undefined): string {
  return `${String(journal?.inode)} ${String(copy?.inode)}`;
}

/** Whether the first file was changed before the second. Equal times are no proof, since the system's clock is coarse. */
function isOlder(first: FileStat | undefined, second: FileStat): boolean {
  return (first?.changedMs ?? Infinity) < (second.changedMs ?? -Infinity);
}

function isSealed(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(-SEAL.length)).toString("latin1") === SEAL;
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
