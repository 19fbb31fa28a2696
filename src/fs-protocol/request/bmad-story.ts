import { nestedMilestones, outermostBoxes } from "./box-milestones.ts";
import type { BoxedSection } from "./boxed-sections.ts";
import type { DocumentMilestone, TaskDocument } from "./task-document.ts";

const TASKS = /^tasks\s*(?:\/|&|and)\s*subtasks\b/i;
const TITLE = /^story\b.*\d/i;
/** The sections before the tasks that say what the story is about. */
const STORY = /^(?:user\s+)?story$/i;
const CRITERIA = /^acceptance criteria\b/i;

/**
 * Reads a story of the BMAD method: `# Story 1.2: Title`, `## Story`, `## Acceptance Criteria`, and
 * `## Tasks / Subtasks` with boxes in boxes. A task is a milestone of its subtasks; tasks without any
 * are put together. The story and its criteria are quoted in the first milestone.
 *
 * Recognised by the heading `Tasks / Subtasks` with boxes below it, together with the title or the
 * acceptance criteria.
 */
export function readBmadStory(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const start = sections.findIndex(({ heading }) => TASKS.test(heading));
  const tasks = sections[start];
  if (tasks === undefined) return undefined;
  const isStory = ({ heading, depth }: BoxedSection) =>
    (depth === 1 && TITLE.test(heading)) || CRITERIA.test(heading);
  const after = sections.slice(start + 1);
  const end = after.findIndex(({ depth }) => depth <= tasks.depth);
  const inside = [tasks, ...(end === -1 ? after : after.slice(0, end))];
  const title = sections.find(({ depth }) => depth === 1)?.heading ?? "";
  const milestones = inside.flatMap((section) => sectionMilestones(section, title));
  const [first, ...rest] = milestones;
  if (first === undefined || !sections.some(isStory)) return undefined;
  const about = [...storyLines(sections.slice(0, start)), ...first.about];
  return {
    form: "bmad",
    milestones: [{ ...first, about }, ...rest],
    ranges: outermostBoxes(inside),
    remarks: [],
  };
}

/** Subtasks below a heading of their own, `### Task 1: …`, form its milestone. */
function sectionMilestones(
  { heading, about, boxes }: BoxedSection,
  title: string,
): readonly DocumentMilestone[] {
  return nestedMilestones(boxes, { name: TASKS.test(heading) ? title : heading, about });
}

function storyLines(sections: readonly BoxedSection[]): readonly string[] {
  return sections
    .filter(
      ({ heading, about }) => (STORY.test(heading) || CRITERIA.test(heading)) && about.length > 0,
    )
    .flatMap(({ heading, about }) => [`## ${heading}`, "", ...about, ""]);
}
