import { parseTasks } from "../../fs-protocol/tasks/tasks-md.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

/**
 * The tasks of a milestone as Markdown, with the boxes that are accepted already and the steps of each task.
 *
 * @param tasksText TASKS.md as wisp wrote it: the plan in force with those boxes
 */
export function taskLines(tasksText: string, { name, tasks }: PlanMilestone): string {
  const plan = parseTasks(tasksText);
  const milestone = plan.ok ? plan.value.milestones.find((each) => each.name === name) : undefined;
  // A record has the tasks alone; the steps stand in the plan.
  const listed = milestone?.tasks ?? tasks.map((text) => ({ text, ticked: false, steps: [] }));
  return listed
    .flatMap(({ text, ticked, steps }) => [
      `- [${ticked ? "x" : " "}] ${text}`,
      ...steps.map((step) => `  - ${step}`),
    ])
    .join("\n");
}
