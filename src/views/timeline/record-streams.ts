import { map, merge, skip, type Observable } from "rxjs";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { type Home, logPath } from "../../fs-protocol/home/home.ts";
import { LOG_NAMES, perRole, type LogName } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { recordsOf } from "../../streams/records-of.ts";

/** How many old records of each log a viewer skips. */
export type Seen = Readonly<Record<LogName, number>>;

export const NOTHING_SEEN: Seen = { ...perRole(() => 0), supervisor: 0, human: 0 };

/** How many records each log holds now. */
export function countRecords(files: Files, home: Home): Result<Seen, FileFailure> {
  const counts = { ...NOTHING_SEEN };
  for (const log of LOG_NAMES) {
    const counted = new LogFold({
      files,
      path: logPath(home, log),
      schema: schemaOf(log),
      empty: 0,
      reduce: (count) => count + 1,
    }).refresh();
    if (!counted.ok) return counted;
    counts[log] = counted.value;
  }
  return ok(counts);
}

/** The records of all logs as they are written, except those already seen. */
export function recordStreams(
  files: Files,
  home: Home,
  { seen, hint$ }: { readonly seen: Seen; readonly hint$: Observable<WatchHint> },
): Observable<Result<LogRecord, FileFailure>> {
  const logs = LOG_NAMES.map((log) => entriesOf(files, home, { log, hint$ }).pipe(skip(seen[log])));
  return merge(...logs);
}

/** The records of one log, each with its log. */
function entriesOf<L extends LogName>(
  files: Files,
  home: Home,
  { log, hint$ }: { readonly log: L; readonly hint$: Observable<WatchHint> },
): Observable<Result<LogRecord<L>, FileFailure>> {
  const entry = (record: RecordOfLog<L>): LogRecord<L> => ({ log, record });
  const records$ = recordsOf({ files, path: logPath(home, log), schema: schemaOf(log) }, hint$);
  return records$.pipe(map((read) => (read.ok ? ok(entry(read.value)) : read)));
}

/** The id of the question that a record asks, if any. */
export function questionIn({ log, record }: LogRecord): string | undefined {
  return log !== "human" && "question" in record ? record.question : undefined;
}
