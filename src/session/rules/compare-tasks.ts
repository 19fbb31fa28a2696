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

/** TASKS.md, held against the builder's log. */
export interface TasksComparison {
  readonly status: TasksStatus;
  /** As it lies there; undefined when there is none. */
  readonly text: string | undefined;
  /** Whether a builder wrote it, or it is staged as an edit: nothing is lost when it is written anew. */
  readonly isOwn: boolean;
  /** As the log makes it; undefined where there is no plan, or it is not to be had. */
  readonly expected: string | undefined;
  readonly builder: BuilderFold;
  /** An edit that the builder has not adopted yet. */
  readonly pending: HumanEdit | undefined;
}

/** Whether TASKS.md is as a state that was just read wants it: then nothing has to be looked at closer. */
export function isTasksCurrent(
  files: Files,
  home: Home,
  { builder, human }: Pick<SessionState, "builder" | "human">,
): Result<boolean, FileFailure> {
  const tasks = textAt(files, home.tasks);
  if (!tasks.ok) return tasks;
  const pending = pendingEdit(human, builder);
  const shown = { fold: builder, states: [builder] };
  const texts = planTexts(files, home, shown, pending);
  if (!texts.ok) return texts;
  const status = tasksStatus(tasks.value, shown, pending, (plan) => texts.value.get(plan));
  return ok(status === "current");
}

/** Reads what is there. Says something for certain only while no builder runs. */
export function compareTasks(
  files: Files,
  home: Home,
  { policy }: Pick<SessionJson, "policy">,
): Result<TasksComparison, FileFailure> {
  const tasks = textAt(files, home.tasks);
  if (!tasks.ok) return tasks;
  const shown = new LogFold({
    files,
    path: roleLog(home, "builder"),
    schema: BuilderRecord,
    empty: NO_TASKS_WRITTEN,
    reduce: (before, record) => foldWrittenTasks(before, record, policy),
  }).refresh();
  if (!shown.ok) return shown;
  const human = new LogFold({
    files,
    path: home.humanLog,
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  }).refresh();
  if (!human.ok) return human;
  const builder = shown.value.fold;
  const pending = pendingEdit(human.value, builder);
  const texts = planTexts(files, home, shown.value, pending);
  if (!texts.ok) return texts;
  const status = tasksStatus(tasks.value, shown.value, pending, (plan) => texts.value.get(plan));
  const known = writtenTexts(shown.value, pending, (plan) => texts.value.get(plan));
  const isOwn = tasks.value === undefined || known.includes(tasks.value);
  return ok({ status, text: tasks.value, isOwn, expected: known.at(-1), builder, pending });
}

/** The plans that TASKS.md may be made of, as far as they are to be had: what is not as its name says is none. */
function planTexts(
  files: Files,
  home: Home,
  { states }: WrittenTasks,
  pending: HumanEdit | undefined,
): Result<ReadonlyMap<string, string>, FileFailure> {
  const plans = [pending?.plan, ...states.map(({ planSha }) => planSha)];
  const texts = new Map<string, string>();
  for (const plan of plans.flatMap((name) => name ?? [])) {
    // A name that is no digest is nobody's file, and no path is made of it.
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
