import type { TickSets } from "./tasks-md.ts";

/** A milestone to render: tasks as records store them, or with their steps. */
export interface RenderedMilestone {
  readonly name: string;
  readonly tasks: readonly (
    string | { readonly text: string; readonly steps: readonly string[] }
  )[];
}

/**
 * Renders a plan as canonical TASKS.md text. For names and texts that came from `parseTasks`,
 * parsing the result returns them unchanged. Steps are only for reading: one that begins like a
 * heading or rule is not parsed as a step again.
 */
export function renderTasks(
  plan: readonly RenderedMilestone[],
  ticks: TickSets = new Map(),
): string {
  return plan.map(({ name, tasks }) => renderMilestone(name, tasks, ticks.get(name))).join("\n");
}

function renderMilestone(
  name: string,
  tasks: RenderedMilestone["tasks"],
  ticked: ReadonlySet<number> | undefined,
): string {
  const lines = tasks.flatMap((task, index) => {
    const { text, steps } = typeof task === "string" ? { text: task, steps: [] } : task;
    const box = ticked?.has(index + 1) === true ? "x" : " ";
    return [`- [${box}] ${text}`, ...steps.map((step) => `  - ${step}`)];
  });
  return [`## Milestone: ${name}`, "", ...lines, ""].join("\n");
}
