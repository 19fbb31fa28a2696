import { map, merge, skip, type Observable } from "rxjs";
import { LOG_SCHEMAS } from "../../fs-protocol/home/logs.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { type Home, logPath } from "../../fs-protocol/home/home.ts";
import { LOG_NAMES, perRole, type LogName } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { recordsOf } from "../../streams/records-of.ts";
import type { LogRecord } from "./render-record.ts";

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
      schema: LOG_SCHEMAS[log],
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
  const options = <L extends LogName>(log: L) => {
    return { files, path: logPath(home, log), schema: LOG_SCHEMAS[log] };
  };
  const of: Readonly<Record<LogName, Observable<Result<LogRecord, FileFailure>>>> = {
    planner: recordsOf(options("planner"), hint$).pipe(map(as("planner"))),
    builder: recordsOf(options("builder"), hint$).pipe(map(as("builder"))),
    reviewer: recordsOf(options("reviewer"), hint$).pipe(map(as("reviewer"))),
    tester: recordsOf(options("tester"), hint$).pipe(map(as("tester"))),
    supervisor: recordsOf(options("supervisor"), hint$).pipe(map(as("supervisor"))),
    human: recordsOf(options("human"), hint$).pipe(map(as("human"))),
  };
  return merge(...LOG_NAMES.map((log) => of[log].pipe(skip(seen[log]))));
}

function as<L extends LogName>(log: L) {
  return <R>(read: Result<R, FileFailure>) => (read.ok ? ok({ log, record: read.value }) : read);
}

/** The id of the question that a record asks, if any. */
export function questionIn({ log, record }: LogRecord): string | undefined {
  return log !== "human" && "question" in record ? record.question : undefined;
}
