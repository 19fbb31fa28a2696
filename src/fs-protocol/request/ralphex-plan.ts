import { outermostBoxes } from "./box-milestones.ts";
import type { BoxedSection } from "./boxed-sections.ts";
import { headedMilestone, headedSections, type HeadedSections } from "./headed-sections.ts";
import type { TaskDocument } from "./task-document.ts";

/** `Task 1: Title`, `Iteration 2a: Title`. */
const TASK = /^(?:Task|Iteration)\s+(?:\d[\w.-]*|[A-Z])\s*:/i;

/**
 * Reads a plan of ralphex: headings `### Task 1: Title` with boxes below them. Each is a milestone.
 * Like there, boxes elsewhere (success criteria, an overview) are not tasks. A task without boxes
 * is a single task.
 *
 * Recognised by such headings of level 2 to 4, of which at least one has boxes.
 */
export function readRalphexPlan(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const tasks = headedSections(sections, isTask);
  const boxes = tasks.flatMap((task) => outermostBoxes(task.sections));
  if (boxes.length === 0) return undefined;
  return {
    form: "ralphex",
    milestones: tasks.map(headedMilestone),
    ranges: boxes,
    remarks: bareWords(tasks),
  };
}

function isTask({ heading, depth }: BoxedSection): boolean {
  return TASK.test(heading) && depth >= 2 && depth <= 4;
}

function bareWords(tasks: readonly HeadedSections[]): readonly string[] {
  const bare = tasks.filter(({ sections }) => outermostBoxes(sections).length === 0);
  if (bare.length === 0) return [];
  return bare.length === 1
    ? ["1 task has no boxes, and is a single task"]
    : [`${String(bare.length)} tasks have no boxes, and each is a single task`];
}
