import { z } from "zod";
import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { evenParts } from "../tasks/even-parts.ts";
import { cleaned } from "../tasks/tasks-sections.ts";
import { byDependencies } from "./by-dependencies.ts";
import { listFailure, schemaIssueWords, type TaskListFailure } from "./read-task-list.ts";
import type { DocumentMilestone, DocumentTask, TaskDocument } from "./task-document.ts";

const Id = z.union([z.string(), z.number()]).transform((id) => cleaned(String(id)));
const Text = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform((text) => linesOf([text ?? []].flat().join("\n")));

const SubtaskFields = {
  id: Id,
  title: z.string().transform(cleaned),
  description: Text,
  details: Text,
  testStrategy: Text,
  status: z.string().nullish(),
  dependencies: z.array(Id).nullish(),
};
const Subtask = z.object(SubtaskFields);
const Task = z.object({ ...SubtaskFields, subtasks: z.array(Subtask).nullish() });
type Subtask = z.infer<typeof Subtask>;
type Task = z.infer<typeof Task>;

/** Fields that a task of Taskmaster has, and that lists under the same name elsewhere lack. */
const Marked = z.object({ id: z.unknown(), title: z.string(), status: z.string() });

/** The tasks of one tag. */
interface Tag {
  readonly name: string;
  readonly tasks: readonly unknown[];
}

/**
 * Reads a `tasks.json` of Taskmaster: `{"tasks": [{id, title, status, subtasks, …}]}`, or the same
 * for each tag. A task with subtasks is a milestone of these; the tasks between such ones are put
 * together, at most five in a milestone. Tasks come after those that they depend on. Cancelled and
 * deferred ones are left out, which a remark says.
 *
 * Of several tags the one called `master` is read. Returns undefined for an object of another
 * kind.
 *
 * @param value a parsed JSON document
 */
export function readTaskmaster(value: unknown): Result<TaskDocument, TaskListFailure> | undefined {
  const tags = tagsOf(value);
  const [first] = tags;
  if (first === undefined) return undefined;
  const chosen = tags.length === 1 ? first : tags.find(({ name }) => name === "master");
  if (chosen === undefined) {
    const names = tags.map(({ name }) => `"${cleaned(name)}"`).join(", ");
    return listFailure(undefined, `it has several tags (${names}), and none is called "master"`);
  }
  const tasks: Task[] = [];
  for (const [index, item] of chosen.tasks.entries()) {
    const read = Task.safeParse(item);
    if (!read.success) return listFailure(index + 1, schemaIssueWords(read.error));
    if (read.data.title === "") return listFailure(index + 1, "title: it is empty");
    tasks.push(read.data);
  }
  const others = tags.filter((tag) => tag !== chosen).map(({ name }) => cleaned(name));
  return documentOf(tasks, others);
}

function tagsOf(value: unknown): readonly Tag[] {
  const own = tasksOf(value);
  if (own !== undefined) return [{ name: "", tasks: own }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, tag]) => {
    const tasks = tasksOf(tag);
    return tasks === undefined ? [] : [{ name, tasks }];
  });
}

function tasksOf(value: unknown): readonly unknown[] | undefined {
  const tasks = isObject(value) ? value["tasks"] : undefined;
  if (!Array.isArray(tasks)) return undefined;
  const items: readonly unknown[] = tasks;
  return items.some((item) => Marked.safeParse(item).success) ? items : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function documentOf(
  tasks: readonly Task[],
  otherTags: readonly string[],
): Result<TaskDocument, TaskListFailure> {
  const wanted = tasks.filter(isWanted);
  const sorted = byDependencies(wanted.map(toNode));
  const listed = sorted.items.map(({ task }) => task);
  const milestones = runsOf(listed).flatMap(runMilestones);
  if (milestones.length === 0) return listFailure(undefined, "there is no task in it to do");
  const left = [...tasks, ...tasks.flatMap(subtasksOf)].filter((task) => !isWanted(task));
  const remarks = [
    ...leftWords(left.map(({ id }) => id)),
    ...(sorted.moved.length === 0
      ? []
      : [
          `to follow the dependencies, the order of the list was changed: ${sorted.moved.join(", ")} came too early`,
        ]),
    ...(sorted.isCircular
      ? ["some dependencies form a circle, so they do not all decide the order"]
      : []),
    ...(otherTags.length === 0
      ? []
      : [`only the tag "master" is in the plan, not ${otherTags.join(", ")}`]),
  ];
  return ok({ form: "taskmaster", milestones, ranges: [], remarks });
}

function leftWords(left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const which = left.length === 1 ? "1 task is" : `${String(left.length)} tasks are`;
  return [`${which} cancelled or deferred, and so not in the plan: ${left.join(", ")}`];
}

function toNode(task: Task) {
  return { id: task.id, after: task.dependencies ?? [], task };
}

function isWanted({ status }: Subtask): boolean {
  return !/^(?:cancel+ed|deferred)$/i.test(status ?? "");
}

function isDone({ status }: Subtask): boolean {
  return /^(?:done|completed?)$/i.test(status ?? "");
}

/** The subtasks, named like `3.1`. */
function subtasksOf({ id, subtasks }: Task): readonly Subtask[] {
  return (subtasks ?? []).map((subtask) => ({
    ...subtask,
    id: subtask.id.startsWith(`${id}.`) ? subtask.id : `${id}.${subtask.id}`,
    dependencies: subtask.dependencies,
  }));
}

function runsOf(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const runs: Task[][] = [];
  for (const task of tasks) {
    const last = runs.at(-1);
    if (hasSubtasks(task) || last?.[0] === undefined || hasSubtasks(last[0])) runs.push([task]);
    else last.push(task);
  }
  return runs;
}

function hasSubtasks(task: Task): boolean {
  return subtasksOf(task).some(isWanted);
}

function runMilestones(run: readonly Task[]): readonly DocumentMilestone[] {
  const [first] = run;
  if (first === undefined) return [];
  if (hasSubtasks(first)) return [withSubtasks(first)];
  return evenParts(run, TASKS_PER_MILESTONE_ADVISED_MAX).map((part) => ({
    name: nameOf(part),
    about: [],
    tasks: part.map((task) => toTask(task)),
  }));
}

function nameOf(part: readonly Task[]): string {
  const [first] = part;
  const last = part.at(-1);
  if (first === undefined || last === undefined) return "";
  return part.length === 1 ? textOf(first) : `Tasks ${first.id} to ${last.id}`;
}

function withSubtasks(task: Task): DocumentMilestone {
  const subtasks = subtasksOf(task).filter(isWanted);
  const nodes = subtasks.map((subtask) => ({
    id: subtask.id,
    after: (subtask.dependencies ?? []).flatMap((id) => [id, `${task.id}.${id}`]),
    subtask,
  }));
  const tasks = byDependencies(nodes).items.map(({ subtask }) => toTask(subtask, isDone(task)));
  return { name: textOf(task), about: detailsOf(task), tasks };
}

function toTask(task: Subtask, isParentDone = false): DocumentTask {
  return { text: textOf(task), steps: detailsOf(task), ticked: isParentDone || isDone(task) };
}

function textOf({ id, title }: Subtask): string {
  return `${id}: ${title}`;
}

function detailsOf({
  description,
  details,
  testStrategy,
  dependencies,
}: Subtask): readonly string[] {
  const [test, ...more] = testStrategy;
  return [
    ...description,
    ...details,
    ...(test === undefined ? [] : [`Test strategy: ${test}`, ...more]),
    ...((dependencies ?? []).length === 0
      ? []
      : [`Depends on: ${(dependencies ?? []).join(", ")}`]),
  ];
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map(cleaned)
    .filter((line) => line !== "");
}
