import type { z } from "zod";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { BuilderRecord } from "../records/builder-log.ts";
import { roleLog, type Home } from "./home.ts";
import type { HomeIssue } from "./home-issue.ts";
import { HumanRecord } from "../records/human-log.ts";
import { isSealed } from "../codec/line-fields.ts";
import { PlannerRecord } from "../records/planner-log.ts";
import { readLines, START } from "../codec/read-lines.ts";
import { decodeRecord } from "../codec/record-codec.ts";
import { ReviewerRecord } from "../records/reviewer-log.ts";
import { SupervisorRecord } from "../records/supervisor-log.ts";
import { TesterRecord } from "../records/tester-log.ts";

/** A record and where its line begins. */
export interface Entry<R> {
  readonly record: R;
  readonly offsetBytes: number;
}

/** One log, read to its end once, with everything that stands in it. */
export interface LogContent<R> {
  readonly path: string;
  readonly entries: readonly Entry<R>[];
  /** Lines that are no records, but for those that were sealed as torn. */
  readonly bad: readonly HomeIssue[];
  /** Where bytes after the last newline begin; undefined when there are none. */
  readonly tornBytes: number | undefined;
}

/** The six logs of records. */
export interface HomeLogs {
  readonly planner: LogContent<PlannerRecord>;
  readonly builder: LogContent<BuilderRecord>;
  readonly reviewer: LogContent<ReviewerRecord>;
  readonly tester: LogContent<TesterRecord>;
  readonly human: LogContent<HumanRecord>;
  readonly supervisor: LogContent<SupervisorRecord>;
}

/** Reads all logs of a home once. */
export function readHomeLogs(files: Files, home: Home): Result<HomeLogs, FileFailure> {
  const role = <S extends z.ZodType>(name: Role, schema: S) =>
    readLog(files, roleLog(home, name), schema);
  const planner = role("planner", PlannerRecord);
  if (!planner.ok) return planner;
  const builder = role("builder", BuilderRecord);
  if (!builder.ok) return builder;
  const reviewer = role("reviewer", ReviewerRecord);
  if (!reviewer.ok) return reviewer;
  const tester = role("tester", TesterRecord);
  if (!tester.ok) return tester;
  const human = readLog(files, home.humanLog, HumanRecord);
  if (!human.ok) return human;
  const supervisor = readLog(files, home.supervisorLog, SupervisorRecord);
  if (!supervisor.ok) return supervisor;
  return ok({
    planner: planner.value,
    builder: builder.value,
    reviewer: reviewer.value,
    tester: tester.value,
    human: human.value,
    supervisor: supervisor.value,
  });
}

function readLog<S extends z.ZodType>(
  files: Files,
  path: string,
  schema: S,
): Result<LogContent<z.output<S>>, FileFailure> {
  const entries: Entry<z.output<S>>[] = [];
  const bad: HomeIssue[] = [];
  // Before the lines: what is appended meanwhile is no torn tail.
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  const read = readLines(files, path, START, {
    line: ({ offsetBytes, text }) => {
      const problem = text === undefined ? "it is too long, or not UTF-8" : take(text, offsetBytes);
      if (problem !== undefined) bad.push({ kind: "bad-line", path, offsetBytes, problem });
    },
    restart: () => undefined,
  });
  if (!read.ok) return read;
  const end = read.value.offsetBytes;
  return ok({ path, entries, bad, tornBytes: end < sizeBytes ? end : undefined });

  function take(text: string, offsetBytes: number): string | undefined {
    const record = decodeRecord(schema, text);
    if (record.ok) entries.push({ record: record.value, offsetBytes });
    const isFine = record.ok || record.failure.kind === "passed-over" || isSealed(text);
    return isFine ? undefined : record.failure.problem;
  }
}
