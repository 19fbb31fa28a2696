import type { z } from "zod";
import { need } from "../../base/fatal.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { LogName } from "../../base/role.ts";
import { isSealed } from "../codec/line-fields.ts";
import { readLines, START } from "../codec/read-lines.ts";
import { decodeRecord } from "../codec/record-codec.ts";
import type { HomeIssue } from "./home-issue.ts";
import { logPath, type Home } from "./home.ts";
import { BuilderRecord } from "../records/builder-log.ts";
import { HumanRecord } from "../records/human-log.ts";
import { PlannerRecord } from "../records/planner-log.ts";
import { ReviewerRecord } from "../records/reviewer-log.ts";
import { SupervisorRecord } from "../records/supervisor-log.ts";
import { TesterRecord } from "../records/tester-log.ts";

/** The six logs of records, and the schema of each. */
export const LOG_SCHEMAS = {
  planner: PlannerRecord,
  builder: BuilderRecord,
  reviewer: ReviewerRecord,
  tester: TesterRecord,
  supervisor: SupervisorRecord,
  human: HumanRecord,
} as const satisfies Readonly<Record<LogName, z.ZodType>>;

/** A record of one of the logs. */
export type RecordOfLog<L extends LogName> = z.output<(typeof LOG_SCHEMAS)[L]>;

const SCHEMA_OF: { readonly [L in LogName]: z.ZodType<RecordOfLog<L>> } = LOG_SCHEMAS;

/** What may stand in a log that is only known at run time. */
export function schemaOf<L extends LogName>(log: L): z.ZodType<RecordOfLog<L>> {
  return SCHEMA_OF[log];
}

/** A record and the log that holds it. */
export type LogRecord<L extends LogName = LogName> = {
  readonly [K in L]: { readonly log: K; readonly record: RecordOfLog<K> };
}[L];

/** A record and the offset of its line. */
export interface Entry<R> {
  readonly record: R;
  readonly offsetBytes: number;
}

/** The whole content of one log, read once to its end. */
export interface LogContent<R> {
  readonly path: string;
  readonly entries: readonly Entry<R>[];
  /** Invalid lines, except those that were sealed as torn. */
  readonly bad: readonly HomeIssue[];
  /** Where bytes after the last newline begin; undefined if there are none. */
  readonly tornBytes: number | undefined;
}

/** The six logs of records. */
export type HomeLogs = { readonly [L in LogName]: LogContent<RecordOfLog<L>> };

/** Reads all logs of a home once; throws `CannotGoOn` if one cannot be read. */
export function readHomeLogs(files: Files, home: Home): HomeLogs {
  const read = <S extends z.ZodType>(log: LogName, schema: S) =>
    need(readLog(files, logPath(home, log), schema));
  return {
    planner: read("planner", LOG_SCHEMAS.planner),
    builder: read("builder", LOG_SCHEMAS.builder),
    reviewer: read("reviewer", LOG_SCHEMAS.reviewer),
    tester: read("tester", LOG_SCHEMAS.tester),
    human: read("human", LOG_SCHEMAS.human),
    supervisor: read("supervisor", LOG_SCHEMAS.supervisor),
  };
}

function readLog<S extends z.ZodType>(
  files: Files,
  path: string,
  schema: S,
): Result<LogContent<z.output<S>>, FileFailure> {
  const entries: Entry<z.output<S>>[] = [];
  const bad: HomeIssue[] = [];
  // Read before the lines: what is appended meanwhile is not a torn tail.
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  const read = readLines(files, path, START, {
    line: ({ offsetBytes, text }) => {
      const problem =
        text === undefined ? "it is too long, or not UTF-8" : addRecord(text, offsetBytes);
      if (problem !== undefined) bad.push({ kind: "bad-line", path, offsetBytes, problem });
    },
    restart: () => undefined,
  });
  if (!read.ok) return read;
  const end = read.value.offsetBytes;
  return ok({ path, entries, bad, tornBytes: end < sizeBytes ? end : undefined });

  function addRecord(text: string, offsetBytes: number): string | undefined {
    const record = decodeRecord(schema, text);
    if (record.ok) entries.push({ record: record.value, offsetBytes });
    const isFine = record.ok || record.failure.kind === "passed-over" || isSealed(text);
    return isFine ? undefined : record.failure.problem;
  }
}
