import { z } from "zod";
import { MILESTONE_NAME_CHARS_MAX, TASK_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleaned } from "../tasks/tasks-sections.ts";
import { listedText, type ListedTask } from "../tasks/task-list.ts";

/** What is wrong with a list in JSON; `item` counts from 1. */
export interface TaskListFailure {
  readonly kind: "task-list";
  readonly item: number | undefined;
  readonly problem: string;
}

const Texts = z.array(z.string()).nullish();

/**
 * A task as other programs write it. Further fields are ignored: the request itself still holds
 * them.
 */
const ListItem = z.object({
  category: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  steps: Texts,
  acceptanceCriteria: Texts,
  acceptance_criteria: Texts,
  passes: z.boolean().nullish(),
  milestone: z.string().nullish(),
});

/** Reads a JSON task list. */
export function readTaskList(
  items: readonly unknown[],
): Result<readonly ListedTask[], TaskListFailure> {
  if (items.length === 0) return listFailure(undefined, "there is no task in it");
  const tasks: ListedTask[] = [];
  for (const [index, item] of items.entries()) {
    const read = ListItem.safeParse(item);
    if (!read.success) return listFailure(index + 1, schemaIssueWords(read.error));
    const task = toTask(read.data);
    const problem = problemOf(task);
    if (problem !== undefined) return listFailure(index + 1, problem);
    tasks.push(task);
  }
  return ok(tasks);
}

/** If there is a title, the description elaborates on it and becomes the first step. */
function toTask(item: z.infer<typeof ListItem>): ListedTask {
  const title = cleaned(item.title ?? "");
  const description = cleaned(item.description ?? "");
  const category = cleaned(item.category ?? "");
  const about = title === "" || title === description ? [] : [description];
  const listed = [item.steps, item.acceptanceCriteria, item.acceptance_criteria];
  return {
    category: category === "" ? undefined : category,
    description: title === "" ? description : title,
    steps: [...about, ...textsOf(...listed)].filter((step) => step !== ""),
    passes: item.passes ?? false,
    milestone: typeof item.milestone === "string" ? cleaned(item.milestone) : undefined,
  };
}

/** The texts of all lists, each on one line; empty ones are left out. */
export function textsOf(...lists: readonly z.infer<typeof Texts>[]): readonly string[] {
  return lists.flatMap((texts) => (texts ?? []).map(cleaned)).filter((text) => text !== "");
}

function problemOf(task: ListedTask): string | undefined {
  const { description, steps, milestone } = task;
  if (description === "") return "it has neither a description nor a title";
  if ([listedText(task), ...steps].some(({ length }) => length > TASK_TEXT_CHARS_MAX)) {
    return `a description or step is longer than ${String(TASK_TEXT_CHARS_MAX)} characters`;
  }
  if (milestone === "") return "milestone: it has no name";
  if ((milestone ?? "").length > MILESTONE_NAME_CHARS_MAX) {
    return `milestone: longer than ${String(MILESTONE_NAME_CHARS_MAX)} characters`;
  }
  return undefined;
}

/** Describes the first problem of an item, with its path. */
export function schemaIssueWords({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join(".") ?? "";
  const message = issue?.message ?? "it is no task";
  return path === "" ? message : `${path}: ${message}`;
}

export function listFailure(
  item: number | undefined,
  problem: string,
): { readonly ok: false; readonly failure: TaskListFailure } {
  return fail({ kind: "task-list", item, problem });
}
