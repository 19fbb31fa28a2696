import type { TasksDocument } from "./tasks-md.ts";

/**
 * A task of the JSON task list: a list of objects, as a request or as a view of a plan. `milestone`: the
 * one that it belongs to; without it those that follow one another are put together.
 */
export interface ListedTask {
  /** One of the plan's six, or any other word. */
  readonly category: string | undefined;
  readonly description: string;
  readonly steps: readonly string[];
  readonly passes: boolean;
  readonly milestone: string | undefined;
}

/** The text of a task of a plan: a word in brackets says what it is. */
const CATEGORIZED = /^\[([^[\]]+)\]\s+(?=\S)/;

/** A plan as a JSON task list, in its order. A task that does not say what it is, is a feature. */
export function taskListOf({ milestones }: TasksDocument): readonly ListedTask[] {
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

/** The text of a listed task in a plan. */
export function listedText({ category, description }: ListedTask): string {
  return category === undefined ? description : `[${category}] ${description}`;
}
