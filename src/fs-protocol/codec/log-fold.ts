import type { z } from "zod";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { NoRecord } from "./bad-line.ts";
import { readLines, START, type Cursor, type Line } from "./read-lines.ts";
import { decodeRecord } from "./record-codec.ts";

/** A complete line that is no record: copied to `logs/quarantine.log` by the log's owner, counted, passed over. */
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
  /** One line without its newline as a record, or why it is none. */
  readonly decode: (line: string) => Result<R, NoRecord>;
  readonly empty: F;
  readonly reduce: (fold: F, record: R) => F;
  /** Called with each record once, in order; again from the start when the file is read anew. */
  readonly onRecord?: ((record: R) => void) | undefined;
  /** Called before the records come again from the start. */
  readonly onRestart?: (() => void) | undefined;
  /** Lines that do not matter to the fold: neither decoded nor counted as bad. */
  readonly passesOver?: ((line: string) => boolean) | undefined;
}

/**
 * One append-only file, folded as far as it was read. Owns the cursor; nothing but the file and this
 * value says what the file holds, so throwing it away and reading again gives the same.
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

  /** Something may have come to stand in the file: the next `readOn` looks at it. */
  touch(): void {
    this.#isTouched = true;
  }

  /**
   * Reads on where the file was touched since it was last read, and does not look at it otherwise. One that
   * was never read, or could not be the last time, counts as touched.
   */
  readOn(): Result<F, FileFailure> {
    return this.#isTouched ? this.refresh() : ok(this.#value);
  }

  /** Reads on to the end of the file and folds what is new. */
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
      // Lines before the failure may have been folded, and would be once more: start over instead.
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

/** Records of one log after which to compile its schema costs less than to go on without. */
const COMPILED_AFTER = 200;

/** How one log of records is folded. */
export interface LogFoldOptions<S extends z.ZodType, F> extends Omit<
  LineFoldOptions<z.output<S>, F>,
  "decode"
> {
  readonly schema: S;
}

/** A log of records, each a line of logfmt, folded as far as it was read. */
export class LogFold<S extends z.ZodType, F> extends LineFold<z.output<S>, F> {
  constructor({ schema, ...options }: LogFoldOptions<S, F>) {
    let count = 0;
    super({ ...options, decode: (line) => decodeRecord(schema, line, count++ < COMPILED_AFTER) });
  }
}
