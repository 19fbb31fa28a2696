import { parseTasks } from "../../fs-protocol/tasks/tasks-md.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

/**
 * The tasks of a milestone as Markdown, with their steps and with the boxes that are already accepted.
 *
 * @param tasksText TASKS.md as wisp wrote it: the plan in force with the accepted boxes
 */
export function taskLines(tasksText: string, { name, tasks }: PlanMilestone): string {
  const plan = parseTasks(tasksText);
  const milestone = plan.ok ? plan.value.milestones.find((each) => each.name === name) : undefined;
  // The milestone's record has only the tasks; the steps are in the plan.
  const listed = milestone?.tasks ?? tasks.map((text) => ({ text, ticked: false, steps: [] }));
  return listed
    .flatMap(({ text, ticked, steps }) => [
      `- [${ticked ? "x" : " "}] ${text}`,
      ...steps.map((step) => `  - ${step}`),
    ])
    .join("\n");
}
