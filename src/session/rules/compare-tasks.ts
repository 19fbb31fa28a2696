import { createHash } from "node:crypto";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import { EMPTY_HUMAN, foldHuman, type HumanEdit } from "../state/fold-human.ts";
import { planPath, roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { pendingEdit } from "./plan-edit.ts";
import { PlanSha } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../state/session-state.ts";
import {
  foldWrittenTasks,
  NO_TASKS_WRITTEN,
  writtenTexts,
  tasksStatus,
  type WrittenTasks,
  type TasksStatus,
} from "./written-tasks.ts";

/** TASKS.md compared with the builder's log. */
export interface TasksComparison {
  readonly status: TasksStatus;
  /** The current text of the file; undefined if there is none. */
  readonly text: string | undefined;
  /**
   * Whether a builder wrote this text or it is staged as an edit, so that overwriting the file
   * loses nothing.
   */
  readonly isOwn: boolean;
  /**
   * The text that follows from the logs; undefined if there is no plan or its text is not
   * available.
   */
  readonly expected: string | undefined;
  readonly builder: BuilderFold;
  /** An edit that the builder has neither adopted nor refused yet. */
  readonly pending: HumanEdit | undefined;
}

/**
 * Whether TASKS.md matches a state that was just read, in which case `compareTasks` is not needed.
 */
export function isTasksCurrent(
  files: Files,
  home: Home,
  { builder, human }: Pick<SessionState, "builder" | "human">,
): Result<boolean, FileFailure> {
  const tasks = textAt(files, home.tasks);
  if (!tasks.ok) return tasks;
  const pending = pendingEdit(human, builder);
  const written = { fold: builder, states: [builder] };
  const texts = planTexts(files, home, written, pending);
  if (!texts.ok) return texts;
  const status = tasksStatus(tasks.value, written, pending, (plan) => texts.value.get(plan));
  return ok(status === "current");
}

/**
 * Reads TASKS.md and the logs and compares them. The result is reliable only while no builder runs.
 */
export function compareTasks(
  files: Files,
  home: Home,
  { policy }: Pick<SessionJson, "policy">,
): Result<TasksComparison, FileFailure> {
  const tasks = textAt(files, home.tasks);
  if (!tasks.ok) return tasks;
  const written = new LogFold({
    files,
    path: roleLog(home, "builder"),
    schema: BuilderRecord,
    empty: NO_TASKS_WRITTEN,
    reduce: (before, record) => foldWrittenTasks(before, record, policy),
  }).refresh();
  if (!written.ok) return written;
  const human = new LogFold({
    files,
    path: home.humanLog,
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  }).refresh();
  if (!human.ok) return human;
  const builder = written.value.fold;
  const pending = pendingEdit(human.value, builder);
  const texts = planTexts(files, home, written.value, pending);
  if (!texts.ok) return texts;
  const status = tasksStatus(tasks.value, written.value, pending, (plan) => texts.value.get(plan));
  const known = writtenTexts(written.value, pending, (plan) => texts.value.get(plan));
  const isOwn = tasks.value === undefined || known.includes(tasks.value);
  return ok({ status, text: tasks.value, isOwn, expected: known.at(-1), builder, pending });
}

/**
 * Reads the plans from which TASKS.md may have been written. Missing plans, and files whose content
 * does not match the digest in their name, are left out.
 */
function planTexts(
  files: Files,
  home: Home,
  { states }: WrittenTasks,
  pending: HumanEdit | undefined,
): Result<ReadonlyMap<string, string>, FileFailure> {
  const plans = [pending?.plan, ...states.map(({ planSha }) => planSha)];
  const texts = new Map<string, string>();
  for (const plan of plans.flatMap((name) => name ?? [])) {
    // Only a digest may become part of a path; other names belong to no file of wisp.
    if (!PlanSha.safeParse(plan).success) continue;
    const read = files.read(planPath(home, plan), DOCUMENT_BYTES_MAX);
    if (!read.ok) return read;
    const bytes = read.value;
    if (bytes !== undefined && digestOf(bytes) === plan) texts.set(plan, decoded(bytes));
  }
  return ok(texts);
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function textAt(files: Files, path: string): Result<string | undefined, FileFailure> {
  const read = files.read(path, DOCUMENT_BYTES_MAX);
  if (!read.ok) return read;
  return ok(read.value && decoded(read.value));
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
