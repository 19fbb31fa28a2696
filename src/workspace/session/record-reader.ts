import type { Files } from "../../base/ports/files.ts";
import { errnoWords } from "../../base/words/errno-words.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import { beginOfLastLines } from "../../fs-protocol/codec/last-lines.ts";
import { isSealed } from "../../fs-protocol/codec/line-fields.ts";
import { beginsWithTime } from "../../fs-protocol/codec/logfmt.ts";
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
  /** If not all of a log was read: the time after which no record is missing. */
  readonly wholeAfter: string | undefined;
}

/** How much of the logs is read; by default everything. */
export interface ReadPart {
  /** How many of the last lines of each log. */
  readonly lastLines?: number | undefined;
  /** Only records of this time or later: ISO 8601, UTC, with milliseconds. The others are not even decoded. */
  readonly sinceTime?: string | undefined;
}

/**
 * Reads the records of all logs of a home, whatever its state: what cannot be read is reported, and the rest is read.
 * Each read continues where the last one ended.
 */
export class RecordReader {
  readonly #logs: readonly ReadLog[];

  constructor(files: Files, home: Home, part: ReadPart = {}) {
    this.#logs = LOG_NAMES.map((log) => new OneLog(files, home, { log, ...part }));
  }

  /** Reads what is new. */
  read(): RecordBatch {
    const parts = this.#logs.map((log) => log.read());
    const records = parts.flatMap((part) => part.records);
    // The sort is stable: records of the same time stay in the order of the logs.
    records.sort(byTime);
    const wholeAfter = parts
      .flatMap((part) => (part.wholeAfter === undefined ? [] : [part.wholeAfter]))
      .reduce((latest, time) => (time > latest ? time : latest), "");
    return {
      records,
      unread: parts.flatMap((part) => part.unread),
      wholeAfter: wholeAfter === "" ? undefined : wholeAfter,
    };
  }

  /** The lines that were begun and not completed, as of now: torn, or still being written. */
  tails(): readonly Unread[] {
    return this.#logs.flatMap((log) => log.tail());
  }
}

/** How many of the last lines of each log are looked at first, and how many times more if they are too few. */
const LAST_LINES_FIRST = 256;
const LAST_LINES_GROWTH = 8;

/**
 * Reads the ends of all logs, as far back as is needed.
 *
 * @param isEnough whether these records, which end with the newest and lack none in between, are enough
 * @returns the records, perhaps with some before these that do lack others, and their reader
 */
export function readLastRecords(
  files: Files,
  home: Home,
  isEnough: (records: readonly LogRecord[]) => boolean,
): { readonly reader: RecordReader; readonly batch: RecordBatch } {
  for (let lastLines = LAST_LINES_FIRST; ; lastLines *= LAST_LINES_GROWTH) {
    const reader = new RecordReader(files, home, { lastLines });
    const batch = reader.read();
    const { wholeAfter, records } = batch;
    if (wholeAfter === undefined) return { reader, batch };
    const begin = records.findIndex(({ record }) => record.time > wholeAfter);
    if (begin >= 0 && isEnough(records.slice(begin))) return { reader, batch };
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
/** Later than any record. */
const END_OF_TIME = "9999-12-31T23:59:59.999Z";

class OneLog implements ReadLog {
  readonly #files: Files;
  readonly #path: string;
  readonly #log: LogName;
  readonly #sinceTime: string;
  #cursor: Cursor;
  /** Lines before this place are not read, whatever happens to the log. */
  readonly #beginBytes: number;
  /** How many lines were passed on since the log was last read from its start. */
  #passedOn = 0;
  /** How many lines come again, because the log had to be read from its start once more. */
  #again = 0;
  #decoded = 0;
  #failure: string | undefined;

  constructor(
    files: Files,
    home: Home,
    { log, lastLines = Infinity, sinceTime = "" }: ReadPart & { readonly log: LogName },
  ) {
    this.#files = files;
    this.#path = logPath(home, log);
    this.#log = log;
    this.#sinceTime = sinceTime;
    this.#cursor = beginOfLastLines(files, this.#path, lastLines);
    this.#beginBytes = this.#cursor.offsetBytes;
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
    const first = this.#beginBytes === 0 ? undefined : (records[0]?.record.time ?? END_OF_TIME);
    return { records, unread, wholeAfter: first };
  }

  tail(): readonly Unread[] {
    const { offsetBytes } = this.#cursor;
    const sizeBytes = this.#files.stat(this.#path)?.sizeBytes ?? 0;
    if (sizeBytes <= offsetBytes || this.#failure !== undefined) return [];
    const problem = "has no end: it was cut off, or is still being written";
    return [{ log: this.#log, offsetBytes, problem }];
  }

  /** Whether a line begins with a time before those that are asked for. */
  #isEarlier(text: string): boolean {
    return text < this.#sinceTime && beginsWithTime(text);
  }

  #startOver(): void {
    this.#again = Math.max(this.#again, this.#passedOn);
    this.#passedOn = 0;
    this.#cursor = START;
  }

  #take({ offsetBytes, text }: Line, records: LogRecord[], unread: Unread[]): void {
    if (offsetBytes < this.#beginBytes) return;
    this.#passedOn += 1;
    if (this.#passedOn <= this.#again) return;
    if (text !== undefined && this.#isEarlier(text)) return;
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
