import type { z } from "zod";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { NoRecord } from "./bad-line.ts";
import { PrefixDigest, sameBeginning, type Prefix } from "./prefix-digest.ts";
import { readLines, START, type Cursor, type Line } from "./read-lines.ts";
import { decodeRecord } from "./record-codec.ts";

/**
 * A complete line that is not a record. The log's owner copies it to `logs/quarantine.log`; readers
 * skip it.
 */
export interface Quarantined {
  readonly path: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  readonly problem: string;
}

/** How the lines of one append-only file are folded. */
export interface LineFoldOptions<R, F> {
  readonly files: Files;
  readonly path: string;
  /** Decodes one line without its newline. */
  readonly decode: (line: string) => Result<R, NoRecord>;
  readonly empty: F;
  readonly reduce: (fold: F, record: R) => F;
  /** Called with each record once, in order; after a restart, again from the first record. */
  readonly onRecord?: ((record: R) => void) | undefined;
  /** Called before the file is read again from its start. */
  readonly onRestart?: (() => void) | undefined;
  /** Lines that do not matter to the fold: they are neither decoded nor counted as bad. */
  readonly passesOver?: ((line: string) => boolean) | undefined;
  /** Whether another process may continue the fold, for which the file's digest is kept. */
  readonly isContinued?: boolean | undefined;
}

/** The fold of a file's beginning, as data with which another process continues. */
export interface FoldedPrefix<F> extends Prefix {
  readonly inode: number;
  readonly value: F;
  readonly quarantined: readonly Quarantined[];
}

/**
 * The fold of one append-only file up to the last complete line that was read. It depends on the
 * file alone, so a new instance that reads the file from its start arrives at the same value.
 */
export class LineFold<R, F> {
  readonly #options: LineFoldOptions<R, F>;
  #cursor: Cursor = START;
  #value: F;
  #quarantined: Quarantined[] = [];
  #isTouched = true;
  #digest: PrefixDigest | undefined;

  constructor(options: LineFoldOptions<R, F>) {
    this.#options = options;
    this.#value = options.empty;
    this.#digest = options.isContinued === true ? new PrefixDigest() : undefined;
  }

  get path(): string {
    return this.#options.path;
  }

  get value(): F {
    return this.#value;
  }

  get quarantined(): readonly Quarantined[] {
    return this.#quarantined;
  }

  /** How much of the file was folded, in bytes. */
  get foldedBytes(): number {
    return this.#cursor.offsetBytes;
  }

  /** What was folded so far; undefined if nothing was, or if nobody continues it. */
  get prefix(): FoldedPrefix<F> | undefined {
    const { inode, offsetBytes: sizeBytes } = this.#cursor;
    if (this.#digest === undefined || sizeBytes === 0) return undefined;
    const { value, quarantined } = this;
    return { inode, sizeBytes, sha256: this.#digest.value, value, quarantined };
  }

  /**
   * Continues what another process folded, instead of reading it again. Believes it only if the
   * file still begins with the very same bytes; otherwise, and after a first read, returns false.
   * The caller vouches that it is of this log, and that the other process ran the same program.
   */
  continueFrom(prefix: FoldedPrefix<unknown>): boolean {
    const { files, path } = this.#options;
    if (this.#digest === undefined || this.#cursor !== START) return false;
    if (files.stat(path)?.inode !== prefix.inode) return false;
    const digest = sameBeginning(files, path, prefix);
    if (digest === undefined || !this.#isOurs(prefix)) return false;
    this.#cursor = { inode: prefix.inode, offsetBytes: prefix.sizeBytes };
    this.#value = prefix.value;
    this.#quarantined = [...prefix.quarantined];
    this.#digest = digest;
    return true;
  }

  /** What no look at a value can tell: the caller vouches for it. */
  #isOurs(prefix: FoldedPrefix<unknown>): prefix is FoldedPrefix<F> {
    return prefix.sizeBytes > 0;
  }

  /** Notes that the file may have changed: the next `readOn` reads it. */
  touch(): void {
    this.#isTouched = true;
  }

  /**
   * Folds new lines if the file was touched since it was last read, and otherwise does not access
   * it. A file that was never read, or whose last read failed, counts as touched.
   */
  readOn(): Result<F, FileFailure> {
    return this.#isTouched ? this.refresh() : ok(this.#value);
  }

  /** Reads to the end of the file and folds the new lines. */
  refresh(): Result<F, FileFailure> {
    const { files, path } = this.#options;
    this.#digest?.begin();
    const read = readLines(files, path, this.#cursor, {
      line: (line) => {
        this.#take(line);
      },
      piece: (bytes) => {
        this.#digest?.push(bytes);
      },
      restart: () => {
        this.#forget();
        this.#options.onRestart?.();
      },
    });
    if (!read.ok) {
      // Lines before the failure may already be folded, and would be folded twice: start over
      // instead.
      this.#forget();
      this.#options.onRestart?.();
      return read;
    }
    this.#cursor = read.value;
    this.#isTouched = false;
    return ok(this.#value);
  }

  #forget(): void {
    this.#isTouched = true;
    this.#cursor = START;
    this.#value = this.#options.empty;
    this.#quarantined = [];
    if (this.#digest !== undefined) this.#digest = new PrefixDigest();
  }

  #take({ offsetBytes, lengthBytes, text }: Line): void {
    const { path, decode, reduce, onRecord, passesOver } = this.#options;
    if (text === undefined) {
      this.#quarantined.push({ path, offsetBytes, lengthBytes, problem: "too long, or not UTF-8" });
      return;
    }
    if (passesOver?.(text) === true) return;
    const record = decode(text);
    if (!record.ok) {
      const { kind, problem } = record.failure;
      if (kind === "passed-over") return;
      this.#quarantined.push({ path, offsetBytes, lengthBytes, problem });
      return;
    }
    this.#value = reduce(this.#value, record.value);
    onRecord?.(record.value);
  }
}

/** Number of records after which compiling a log's schema pays off. */
const COMPILED_AFTER = 200;

/** How one log of records is folded. */
export interface LogFoldOptions<S extends z.ZodType, F> extends Omit<
  LineFoldOptions<z.output<S>, F>,
  "decode"
> {
  readonly schema: S;
}

/** The fold of a log whose lines are records in logfmt. */
export class LogFold<S extends z.ZodType, F> extends LineFold<z.output<S>, F> {
  constructor({ schema, ...options }: LogFoldOptions<S, F>) {
    let count = 0;
    super({ ...options, decode: (line) => decodeRecord(schema, line, count++ < COMPILED_AFTER) });
  }
}
