import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import {
  MILESTONE_NAME_CHARS_MAX,
  MILESTONES_MAX,
  PLAN_BYTES_MAX,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { PlanMilestone } from "../codec/record-fields.ts";
import { scanTasks, type TasksScan } from "./tasks-scan.ts";
import type { ScannedMilestone, ScannedTask } from "./tasks-sections.ts";

/**
 * TASKS.md, the plan of a session as people, engines and scripts read it:
 *
 *     ## Milestone: Project skeleton
 *
 *     - [x] [setup] Create the package
 *       - with its own tests
 *     - [ ] [docs] Describe the commands
 *
 * Other text is preserved and has no meaning. `tasks-sections.ts` describes which lists are tasks.
 */
export interface TasksDocument {
  /** In the document's order; never empty, with unique names. */
  readonly milestones: readonly Milestone[];
}

export interface Milestone {
  /** Cleaned, trimmed, NFC; compared exactly. */
  readonly name: string;
  /** Never empty. */
  readonly tasks: readonly Task[];
}

const TASK_CATEGORIES = ["setup", "feature", "bugfix", "refactor", "test", "docs"] as const;
export type TaskCategory = (typeof TASK_CATEGORIES)[number];

export interface Task {
  /** Position among the milestone's tasks, from 1. */
  readonly ordinal: number;
  /** The whole line without its box, including its category. */
  readonly text: string;
  readonly category: TaskCategory | undefined;
  /** Bullets nested in the task, flattened. */
  readonly steps: readonly string[];
  readonly ticked: boolean;
}

interface BadLine {
  /** From 1. */
  readonly line: number;
  /** Reported after "line 12: ". */
  readonly problem: string;
}

/** Why a text is not a valid plan. */
export const TasksFailure = refusal("tasks", EXIT.failure, ({ line, problem }: BadLine) => [
  `TASKS.md, line ${String(line)}: ${shown(problem)}.`,
  "A plan has headings `## Milestone: <name>`, and below each a list of `- [ ] <task>`.",
]);
export type TasksFailure = ReturnType<typeof TasksFailure>;

/** Ticked boxes by milestone name: ordinals of tasks. */
export type TickSets = ReadonlyMap<string, ReadonlySet<number>>;

/** Parses a TASKS.md or a planner's draft. Fails with the first problem in it. */
export function parseTasks(text: string): Result<TasksDocument, TasksFailure> {
  const scan = scanTasks(text);
  const known = parsedScans.get(scan);
  if (known !== undefined) return known;
  const failure = knownFailureOf(scan);
  const parsed: Result<TasksDocument, TasksFailure> =
    failure === undefined ? ok({ milestones: scan.milestones.map(toMilestone) }) : fail(failure);
  parsedScans.set(scan, parsed);
  return parsed;
}

/** As long as the scan of a text is remembered, so is what follows from it. */
const parsedScans = new WeakMap<TasksScan, Result<TasksDocument, TasksFailure>>();

/** No failure is about a tick. */
function knownFailureOf(scan: TasksScan): TasksFailure | undefined {
  const known = failures.get(scan.boxOffsets);
  if (known !== undefined) return known.failure;
  const failure = failureOf(scan);
  failures.set(scan.boxOffsets, { failure });
  return failure;
}

/** By a list that scans have in common if they differ only in their ticks. */
const failures = new WeakMap<object, { readonly failure: TasksFailure | undefined }>();

function failureOf(scan: TasksScan): TasksFailure | undefined {
  const { milestones } = scan;
  const failures = [
    ...scan.problems.map(({ line, problem }) => failure(line, problem)),
    ...duplicates(milestones),
    ...milestones.flatMap(milestoneFailures),
  ].sort((one, other) => one.line - other.line);
  if (failures[0] !== undefined) return failures[0];
  const first = milestones[0];
  if (first === undefined) {
    return failure(1, "there is no milestone: none of its headings is `## Milestone: <name>`");
  }
  return planFailure(milestones, first.line);
}

function planFailure(milestones: readonly ScannedMilestone[], line: number) {
  const beyond = milestones[MILESTONES_MAX];
  if (beyond !== undefined) {
    return failure(beyond.line, `there are more than ${String(MILESTONES_MAX)} milestones`);
  }
  const recorded = JSON.stringify(
    milestones.map(({ name, tasks }) => ({ name, tasks: tasks.map(({ text }) => text) })),
  );
  const bytes = Buffer.byteLength(JSON.stringify(recorded));
  if (bytes <= PLAN_BYTES_MAX) return undefined;
  return failure(
    line,
    `names and tasks take ${String(bytes)} bytes in all, and a plan at most ${String(PLAN_BYTES_MAX)}`,
  );
}

function duplicates(milestones: readonly ScannedMilestone[]): readonly TasksFailure[] {
  const lines = new Map<string, number>();
  return milestones.flatMap(({ name, line }) => {
    const earlier = lines.get(name);
    if (earlier === undefined) lines.set(name, line);
    if (earlier === undefined || name === "") return [];
    const problem = `the milestone "${name}" is already at line ${String(earlier)}; names are unique`;
    return [failure(line, problem)];
  });
}

function milestoneFailures({ name, line, tasks }: ScannedMilestone): readonly TasksFailure[] {
  const found: TasksFailure[] = [];
  if (name === "") found.push(failure(line, "the milestone has no name"));
  if (name.length > MILESTONE_NAME_CHARS_MAX) {
    const limit = String(MILESTONE_NAME_CHARS_MAX);
    found.push(failure(line, `the milestone's name is longer than ${limit} characters`));
  }
  if (tasks.length === 0) {
    found.push(failure(line, `the milestone "${name}" has no task: no line \`- [ ] <task>\``));
  }
  if (tasks.length > TASKS_PER_MILESTONE_MAX) {
    const limit = String(TASKS_PER_MILESTONE_MAX);
    found.push(failure(line, `the milestone "${name}" has more than ${limit} tasks`));
  }
  return [...found, ...tasks.flatMap(taskFailures)];
}

function taskFailures({ text, line }: ScannedTask): readonly TasksFailure[] {
  if (text === "") return [failure(line, "the task has no text")];
  if (text.length <= TASK_TEXT_CHARS_MAX) return [];
  return [failure(line, `the task is longer than ${String(TASK_TEXT_CHARS_MAX)} characters`)];
}

function failure(line: number, problem: string): TasksFailure {
  return TasksFailure({ line, problem });
}

function toMilestone(scanned: ScannedMilestone): Milestone {
  const known = milestonesRead.get(scanned);
  if (known !== undefined) return known;
  const { name, tasks } = scanned;
  const milestone = { name, tasks: tasks.map(toTask) };
  milestonesRead.set(scanned, milestone);
  return milestone;
}

const milestonesRead = new WeakMap<ScannedMilestone, Milestone>();

function toTask({ text, steps, ticked }: ScannedTask, index: number): Task {
  return { ordinal: index + 1, text, category: categoryOf(text), steps, ticked };
}

function categoryOf(text: string): TaskCategory | undefined {
  const word = /^\[([a-z]+)\](?=\s|$)/i.exec(text)?.[1]?.toLowerCase();
  return TASK_CATEGORIES.find((category) => category === word);
}

export interface Progress {
  readonly tasks: { readonly done: number; readonly total: number };
  readonly milestones: { readonly done: number; readonly total: number };
}

/** Counts ticked tasks and complete milestones. */
export function progress(document: TasksDocument): Progress {
  const tasks = document.milestones.flatMap((milestone) => milestone.tasks);
  const complete = document.milestones.filter(isComplete);
  return {
    tasks: { done: tasks.filter(({ ticked }) => ticked).length, total: tasks.length },
    milestones: { done: complete.length, total: document.milestones.length },
  };
}

function isComplete({ tasks }: Milestone): boolean {
  return tasks.every(({ ticked }) => ticked);
}

/** The plan as records store it: names and task texts, without boxes and steps. */
export function planMilestones(document: TasksDocument): PlanMilestone[] {
  return document.milestones.map(({ name, tasks }) => ({
    name,
    tasks: tasks.map(({ text }) => text),
  }));
}
