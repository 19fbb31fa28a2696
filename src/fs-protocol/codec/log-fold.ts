import type { z } from "zod";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { NoRecord } from "./bad-line.ts";
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

  constructor(options: LineFoldOptions<R, F>) {
    this.#options = options;
    this.#value = options.empty;
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
    const read = readLines(files, path, this.#cursor, {
      line: (line) => {
        this.#take(line);
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
