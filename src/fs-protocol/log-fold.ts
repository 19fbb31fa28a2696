import type { z } from "zod";
import type { FileFailure, Files } from "../base/files.ts";
import { ok, type Result } from "../base/result.ts";
import { readLines, START, type Cursor, type Line } from "./read-lines.ts";
import { decodeRecord } from "./record-codec.ts";

/** A complete line that is no record: copied to `logs/quarantine.log` by the log's owner, counted, passed over. */
export interface Quarantined {
  readonly path: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  readonly problem: string;
}

/** How one log is folded. */
export interface LogFoldOptions<S extends z.ZodType, F> {
  readonly files: Files;
  readonly path: string;
  readonly schema: S;
  readonly empty: F;
  readonly reduce: (fold: F, record: z.output<S>) => F;
  /** Called with each record once, in order; again from the start when the file was replaced. */
  readonly onRecord?: ((record: z.output<S>) => void) | undefined;
}

/**
 * One log, folded as far as it was read. Owns the cursor; nothing but the file and this value says
 * what the log holds, so throwing it away and reading again gives the same.
 */
export class LogFold<S extends z.ZodType, F> {
  readonly #options: LogFoldOptions<S, F>;
  #cursor: Cursor = START;
  #value: F;
  #quarantined: Quarantined[] = [];

  constructor(options: LogFoldOptions<S, F>) {
    this.#options = options;
    this.#value = options.empty;
  }

  get value(): F {
    return this.#value;
  }

  get quarantined(): readonly Quarantined[] {
    return this.#quarantined;
  }

  /** Reads on to the end of the file and folds what is new. */
  refresh(): Result<F, FileFailure> {
    const { files, path } = this.#options;
    const read = readLines(files, path, this.#cursor, {
      line: (line) => {
        this.#take(line);
      },
      restart: () => {
        this.#value = this.#options.empty;
        this.#quarantined = [];
      },
    });
    if (!read.ok) return read;
    this.#cursor = read.value;
    return ok(this.#value);
  }

  #take(line: Line): void {
    const { path, schema, reduce, onRecord } = this.#options;
    const { offsetBytes, lengthBytes, text } = line;
    if (text === undefined) {
      this.#quarantined.push({ path, offsetBytes, lengthBytes, problem: "too long, or not UTF-8" });
      return;
    }
    const record = decodeRecord(schema, text);
    if (!record.ok) {
      const { problem } = record.failure;
      this.#quarantined.push({ path, offsetBytes, lengthBytes, problem });
      return;
    }
    this.#value = reduce(this.#value, record.value);
    onRecord?.(record.value);
  }
}
