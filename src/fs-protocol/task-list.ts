import { z } from "zod";
import { MILESTONE_NAME_CHARS_MAX, TASK_TEXT_CHARS_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { cleanText } from "./clean-text.ts";
import { TASK_CATEGORIES, type TasksDocument } from "./tasks-md.ts";

/**
 * A task of the JSON task list: a list of objects, as a request or as a view of a plan. `milestone`: the
 * one that it belongs to; without it those that follow one another are put together.
 */
export const ListedTask = z.object({
  category: z.enum(TASK_CATEGORIES).optional(),
  description: z.string(),
  steps: z.array(z.string()).default([]),
  passes: z.boolean().default(false),
  milestone: z.string().optional(),
});
export type ListedTask = z.infer<typeof ListedTask>;

/** What is wrong with a list; `item` counts from 1. */
export interface TaskListFailure {
  readonly kind: "task-list";
  readonly item: number | undefined;
  readonly problem: string;
}

/**
 * Reads a JSON task list; undefined: the text is none. A text that begins as a list of objects and is no
 * JSON is a list with a mistake in it. What else an item holds is passed over.
 */
export function readTaskList(
  text: string,
): Result<readonly ListedTask[], TaskListFailure> | undefined {
  if (!/^\ufeff?\s*\[\s*(?:\{\s*["}]|\]\s*$)/.test(text)) return undefined;
  const parsed = jsonOf(text.replace(/^\ufeff/, ""));
  if (!Array.isArray(parsed))
    return failure(undefined, "it begins like a JSON list, but is no JSON");
  const items: readonly unknown[] = parsed;
  if (items.length === 0) return failure(undefined, "there is no task in it");
  const tasks: ListedTask[] = [];
  for (const [index, item] of items.entries()) {
    const read = ListedTask.safeParse(item);
    if (!read.success) return failure(index + 1, issueWords(read.error));
    const task = clean(read.data);
    const problem = problemOf(task);
    if (problem !== undefined) return failure(index + 1, problem);
    tasks.push(task);
  }
  return ok(tasks);
}

/** A plan as a JSON task list, in its order. A task that does not say what it is, is a feature. */
export function taskListOf({ milestones }: TasksDocument): readonly ListedTask[] {
  return milestones.flatMap(({ name, tasks }) =>
    tasks.map(({ category, text, steps, ticked }) => ({
      category: category ?? "feature",
      description: category === undefined ? text : text.replace(/^\[[a-z]+\]\s*/i, ""),
      steps: [...steps],
      passes: ticked,
      milestone: name,
    })),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function issueWords({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join(".") ?? "";
  const message = issue?.message ?? "it is no task";
  return path === "" ? message : `${path}: ${message}`;
}

function clean({ description, steps, milestone, ...rest }: ListedTask): ListedTask {
  return {
    ...rest,
    description: oneLine(description),
    steps: steps.map(oneLine).filter((step) => step !== ""),
    milestone: milestone === undefined ? undefined : oneLine(milestone),
  };
}

/** In one line, but never cut: what is too long is refused. */
function oneLine(text: string): string {
  return cleanText(text, { charsMax: text.length + 1, lines: "one" }).normalize("NFC");
}

const CATEGORY_CHARS = 12;

function problemOf({ description, steps, milestone }: ListedTask): string | undefined {
  if (description === "") return "description: it says nothing";
  const max = TASK_TEXT_CHARS_MAX - CATEGORY_CHARS;
  if ([description, ...steps].some(({ length }) => length > max)) {
    return `a description or step is longer than ${String(max)} characters`;
  }
  if (milestone === "") return "milestone: it has no name";
  if ((milestone ?? "").length > MILESTONE_NAME_CHARS_MAX) {
    return `milestone: longer than ${String(MILESTONE_NAME_CHARS_MAX)} characters`;
  }
  return undefined;
}

function failure(
  item: number | undefined,
  problem: string,
): { readonly ok: false; readonly failure: TaskListFailure } {
  return fail({ kind: "task-list", item, problem });
}
