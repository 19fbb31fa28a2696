import type { Files } from "../../base/ports/files.ts";
import { errnoWords } from "../../base/words/errno-words.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import { isSealed } from "../../fs-protocol/codec/line-fields.ts";
import { readLines, START, type Cursor, type Line } from "../../fs-protocol/codec/read-lines.ts";
import { decodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../fs-protocol/home/logs.ts";

/** Something in a log that holds no record, or a log that could not be read. */
export interface Unread {
  readonly log: LogName;
  /** Where the line begins; undefined if it is about the whole log. */
  readonly offsetBytes: number | undefined;
  /** What is wrong, after the name of the log: `is not a record: …`. */
  readonly problem: string;
}

/** What was new in the logs. */
export interface RecordBatch {
  /** Of all logs, by time; records of one log stay in their order. */
  readonly records: readonly LogRecord[];
  readonly unread: readonly Unread[];
}

/**
 * Reads the records of all logs of a home, whatever its state: what cannot be read is reported, and the rest is read.
 * Each read continues where the last one ended.
 */
export class RecordReader {
  readonly #logs: readonly ReadLog[];

  constructor(files: Files, home: Home) {
    this.#logs = LOG_NAMES.map((log) => new OneLog(files, home, log));
  }

  /** Reads what is new. */
  read(): RecordBatch {
    const parts = this.#logs.map((log) => log.read());
    const records = parts.flatMap((part) => part.records);
    // The sort is stable: records of the same time stay in the order of the logs.
    records.sort(byTime);
    return { records, unread: parts.flatMap((part) => part.unread) };
  }

  /** The lines that were begun and not completed, as of now: torn, or still being written. */
  tails(): readonly Unread[] {
    return this.#logs.flatMap((log) => log.tail());
  }
}

function byTime({ record: one }: LogRecord, { record: other }: LogRecord): number {
  return one.time < other.time ? -1 : one.time > other.time ? 1 : 0;
}

interface ReadLog {
  read(): RecordBatch;
  tail(): readonly Unread[];
}

/** From this number of records on, a compiled schema is faster. */
const COMPILED_AFTER = 200;

class OneLog implements ReadLog {
  readonly #files: Files;
  readonly #path: string;
  readonly #log: LogName;
  #cursor: Cursor = START;
  /** How many lines were passed on since the log was last read from its start. */
  #passedOn = 0;
  /** How many lines come again, because the log had to be read from its start once more. */
  #again = 0;
  #decoded = 0;
  #failure: string | undefined;

  constructor(files: Files, home: Home, log: LogName) {
    this.#files = files;
    this.#path = logPath(home, log);
    this.#log = log;
  }

  read(): RecordBatch {
    const records: LogRecord[] = [];
    const unread: Unread[] = [];
    const done = readLines(this.#files, this.#path, this.#cursor, {
      line: (line) => {
        this.#take(line, records, unread);
      },
      restart: () => {
        this.#startOver();
      },
    });
    if (done.ok) this.#cursor = done.value;
    else this.#startOver();
    const failure = done.ok ? undefined : `could not be read: ${errnoWords(done.failure.errno)}`;
    if (failure !== undefined && failure !== this.#failure) {
      unread.push({ log: this.#log, offsetBytes: undefined, problem: failure });
    }
    this.#failure = failure;
    return { records, unread };
  }

  tail(): readonly Unread[] {
    const { offsetBytes } = this.#cursor;
    const sizeBytes = this.#files.stat(this.#path)?.sizeBytes ?? 0;
    if (sizeBytes <= offsetBytes || this.#failure !== undefined) return [];
    const problem = "has no end: it was cut off, or is still being written";
    return [{ log: this.#log, offsetBytes, problem }];
  }

  #startOver(): void {
    this.#again = Math.max(this.#again, this.#passedOn);
    this.#passedOn = 0;
    this.#cursor = START;
  }

  #take({ offsetBytes, text }: Line, records: LogRecord[], unread: Unread[]): void {
    this.#passedOn += 1;
    if (this.#passedOn <= this.#again) return;
    const log = this.#log;
    if (text === undefined) {
      unread.push({ log, offsetBytes, problem: "is too long, or not UTF-8" });
      return;
    }
    const decoded = decodeRecord(schemaOf(log), text, this.#decoded++ < COMPILED_AFTER);
    if (decoded.ok) records.push(entryOf(log, decoded.value));
    else if (decoded.failure.kind !== "passed-over" && !isSealed(text)) {
      unread.push({ log, offsetBytes, problem: `is not a record: ${decoded.failure.problem}` });
    }
  }
}

function entryOf<L extends LogName>(log: L, record: RecordOfLog<L>): LogRecord<L> {
  return { log, record };
}
