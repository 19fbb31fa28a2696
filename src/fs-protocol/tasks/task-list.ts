import type { TasksDocument } from "./tasks-md.ts";

/**
 * A task of the JSON task list: a list of objects, used for requests and for showing a plan.
 * `milestone` is the one that it belongs to; consecutive tasks without one are grouped.
 */
export interface ListedTask {
  /** One of the plan's six categories, or any other word. */
  readonly category: string | undefined;
  readonly description: string;
  readonly steps: readonly string[];
  readonly passes: boolean;
  readonly milestone: string | undefined;
}

/** What `wisp tasks --json` prints, which is also a request. It names no schema: a list has no place for it. */
export type TaskList = readonly ListedTask[];

/** A plan's task text that begins with a category in brackets. */
const CATEGORIZED = /^\[([^[\]]+)\]\s+(?=\S)/;

/** Converts a plan to a JSON task list, in its order. A task without a category is a feature. */
export function taskListOf({ milestones }: TasksDocument): TaskList {
  return milestones.flatMap(({ name, tasks }) =>
    tasks.map(({ category, text, steps, ticked }) => ({
      category: category ?? CATEGORIZED.exec(text)?.[1] ?? "feature",
      description: text.replace(CATEGORIZED, ""),
      steps: [...steps],
      passes: ticked,
      milestone: name,
    })),
  );
}

/** A listed task's text in a plan. */
export function listedText({ category, description }: ListedTask): string {
  return category === undefined ? description : `[${category}] ${description}`;
}
