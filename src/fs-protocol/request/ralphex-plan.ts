import { cleaned } from "../tasks/tasks-sections.ts";
import { boxTask, outermostBoxes } from "./box-milestones.ts";
import type { BoxedSection } from "./boxed-sections.ts";
import type { DocumentMilestone, TaskDocument } from "./task-document.ts";

/** `Task 1: Title`, `Iteration 2a: Title`. */
const TASK = /^(?:Task|Iteration)\s+(?:\d[\w.-]*|[A-Z])\s*:/i;

/** A task's heading with the sections inside of it. */
interface TaskSections {
  readonly name: string;
  readonly depth: number;
  readonly sections: BoxedSection[];
}

/**
 * Reads a plan of ralphex: headings `### Task 1: Title` with boxes below them. Each is a milestone.
 * Like there, boxes elsewhere (success criteria, an overview) are not tasks. A task without boxes
 * is a single task.
 *
 * Recognised by such headings of level 2 to 4, of which at least one has boxes.
 */
export function readRalphexPlan(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const tasks = tasksIn(sections);
  const boxes = tasks.flatMap((task) => outermostBoxes(task.sections));
  if (boxes.length === 0) return undefined;
  return {
    form: "ralphex",
    milestones: tasks.map(milestoneOf),
    ranges: boxes,
    remarks: bareWords(tasks),
  };
}

function tasksIn(sections: readonly BoxedSection[]): readonly TaskSections[] {
  const tasks: TaskSections[] = [];
  let open: TaskSections | undefined;
  for (const section of sections) {
    const { heading: name, depth } = section;
    if (TASK.test(name) && depth >= 2 && depth <= 4) {
      open = { name, depth, sections: [section] };
      tasks.push(open);
    } else if (depth <= (open?.depth ?? 0)) open = undefined;
    else open?.sections.push(section);
  }
  return tasks;
}

function milestoneOf({ name, sections }: TaskSections): DocumentMilestone {
  const about = sections.flatMap((section, index) => [
    ...(index === 0 ? [] : ["", `${"#".repeat(section.depth)} ${section.heading}`, ""]),
    ...section.about,
  ]);
  const tasks = outermostBoxes(sections).map((box) => boxTask(box));
  if (tasks.length > 0) return { name, about, tasks };
  const steps = about.map(withoutMarker).filter((line) => line !== "");
  return { name, about: [], tasks: [{ text: name, steps, ticked: false }] };
}

function withoutMarker(line: string): string {
  return cleaned(line).replace(/^[-*+] (?=\S)/, "");
}

function bareWords(tasks: readonly TaskSections[]): readonly string[] {
  const bare = tasks.filter(({ sections }) => outermostBoxes(sections).length === 0);
  if (bare.length === 0) return [];
  return bare.length === 1
    ? ["1 task has no boxes, and is a single task"]
    : [`${String(bare.length)} tasks have no boxes, and each is a single task`];
}
