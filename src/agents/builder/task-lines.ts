import type { BuilderFold } from "../../fs-protocol/builder-state.ts";
import type { PlanMilestone } from "../../fs-protocol/record-fields.ts";

/** The tasks of a milestone with the boxes that are accepted already, as Markdown. */
export function taskLines(
  { ticks }: Pick<BuilderFold, "ticks">,
  { name, tasks }: PlanMilestone,
): string {
  const done = ticks.get(name) ?? new Set<number>();
  return tasks.map((task, index) => `- [${done.has(index + 1) ? "x" : " "}] ${task}`).join("\n");
}
