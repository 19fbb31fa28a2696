import { boxTask, groupedByHeading, outermostBoxes } from "./box-milestones.ts";
import type { Box, BoxedSection } from "./boxed-sections.ts";
import type { TaskDocument } from "./task-document.ts";

/** `T001 …`, `**T012a** …`, `T-07: …`. */
const TASK_ID = /^[*_`]*T-?\d{2,4}[a-z]?(?![\p{L}\p{N}])/u;

/**
 * Reads the `tasks.md` of spec-kit: phases as headings, and below them boxes that begin with a task's
 * id, such as `- [ ] T012 [P] [US1] Create the model in src/model.ts`. Each phase is a milestone.
 * Boxes without an id belong to the checklists at the end of such a file.
 *
 * Recognised by at least two such ids, on at least half of the boxes.
 */
export function readSpecKit(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const boxes = outermostBoxes(sections);
  const tasks = boxes.filter(isTask);
  if (tasks.length < 2 || tasks.length * 2 < boxes.length) return undefined;
  const milestones = groupedByHeading(sections, isTask).map(({ name, about, boxes: own }) => ({
    name,
    about,
    tasks: own.map((box) => boxTask(box)),
  }));
  return { form: "spec-kit", milestones, ranges: tasks, remarks: [] };
}

function isTask({ text }: Box): boolean {
  return TASK_ID.test(text);
}
