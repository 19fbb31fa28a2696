import type { Files } from "../../base/ports/files.ts";
import { LOG_NAMES, isRole, type LogName } from "../../base/role.ts";
import { readLines, START, type Cursor } from "../../fs-protocol/codec/read-lines.ts";
import { decodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { SessionSpan } from "./otlp-span.ts";
import type { SessionSpans } from "./session-spans.ts";
import type { ReadSoFar, SpansPlace } from "./spans-place.ts";

/** Longer logs of a session whose spans were never exported are not gone through for what is past. */
const PAST_BYTES_MAX = 4 * 1024 * 1024;

/** The logs that spans are made from. */
const LOGS = LOG_NAMES.filter((log) => log !== "human");

/** How far a log was read. */
interface Progress {
  cursor: Cursor;
  /** The cursor when nothing of the log was open: from there on, its records stand on their own. */
  idle: Cursor;
  /** Spans that end with records before it were made by an earlier process. */
  readonly madeBytes: number;
}

interface FreshRecord {
  readonly entry: LogRecord;
  readonly isMade: boolean;
}

/** Reads what is new in a session's logs, and makes spans of it. What cannot be read makes none. */
export class SpanReader {
  readonly #files: Files;
  readonly #home: Home;
  readonly #spans: SessionSpans;
  readonly #logs: ReadonlyMap<LogName, Progress>;

  /** @param place where an earlier process stopped; undefined if there was none */
  constructor(
    files: Files,
    home: Home,
    { spans, place }: { readonly spans: SessionSpans; readonly place: SpansPlace | undefined },
  ) {
    this.#files = files;
    this.#home = home;
    this.#spans = spans;
    this.#logs = new Map(LOGS.map((log) => [log, this.#begin(log, place?.logs[log])]));
  }

  /** Where a later process goes on if all spans so far have been sent. */
  get place(): SpansPlace {
    const logs = [...this.#logs].map(([log, { cursor, idle }]): readonly [LogName, ReadSoFar] => {
      const role = isRole(log) ? this.#spans.openRole(log) : undefined;
      return [log, { ...idle, madeBytes: cursor.offsetBytes, ...(role && { role }) }];
    });
    return { logs: Object.fromEntries(logs) };
  }

  /** The spans that ended since the last read. */
  read(): readonly SessionSpan[] {
    const fresh = [...this.#logs].flatMap(([log, progress]) => this.#readLog(log, progress));
    const spans = fresh
      .sort((one, other) => timeOf(one) - timeOf(other))
      .flatMap(({ entry, isMade }) => {
        const ended = this.#spans.add(entry);
        return isMade ? [] : ended;
      });
    for (const [log, progress] of this.#logs) {
      if (!isRole(log) || this.#spans.isIdle(log)) progress.idle = progress.cursor;
    }
    return spans;
  }

  #begin(log: LogName, known: ReadSoFar | undefined): Progress {
    if (known !== undefined) {
      const { offsetBytes, inode, madeBytes, role } = known;
      if (isRole(log) && role !== undefined) this.#spans.goOn(log, role);
      const cursor = { offsetBytes, inode };
      return { cursor, idle: cursor, madeBytes };
    }
    const stat = this.#files.stat(logPath(this.#home, log));
    const isLong = stat !== undefined && stat.sizeBytes > PAST_BYTES_MAX;
    const cursor = isLong ? { offsetBytes: stat.sizeBytes, inode: stat.inode } : START;
    return { cursor, idle: cursor, madeBytes: cursor.offsetBytes };
  }

  #readLog(log: LogName, progress: Progress): readonly FreshRecord[] {
    const fresh: FreshRecord[] = [];
    const done = readLines(this.#files, logPath(this.#home, log), progress.cursor, {
      line: ({ offsetBytes, text }) => {
        const decoded = text === undefined ? undefined : decodeRecord(schemaOf(log), text);
        const isMade = offsetBytes < progress.madeBytes;
        if (decoded?.ok === true) fresh.push({ entry: entryOf(log, decoded.value), isMade });
      },
      // A restored log holds the same records at the same places.
      restart: () => undefined,
    });
    if (done.ok) progress.cursor = done.value;
    return fresh;
  }
}

function timeOf({ entry }: FreshRecord): number {
  return Date.parse(entry.record.time);
}

function entryOf<L extends LogName>(log: L, record: RecordOfLog<L>): LogRecord<L> {
  return { log, record };
}
