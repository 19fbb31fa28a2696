import { boxTask, groupedByHeading, outermostBoxes } from "./box-milestones.ts";
import type { Box, BoxedSection } from "./boxed-sections.ts";
import type { TaskDocument } from "./task-document.ts";

/** `2.3 Title`, `**2.3** Title`, `2.3.1: Title`. */
const TASK_NUMBER = /^[*_]*(?<first>\d{1,3})\.\d{1,3}(?:\.\d{1,3})*[.:]?(?=[\s*_])/;
/** `2. Title`, `Phase 2: Title`, `2.1 Title`. */
const HEADING_NUMBER =
  /^[*_]*(?:(?:phase|section|step|part|stage)\s+)?(?<first>\d{1,3})(?![\p{L}\p{N}])/iu;

/**
 * Reads the `tasks.md` of an OpenSpec change: headings `## 2. Title`, and below each of them boxes
 * that carry its number, `- [ ] 2.1 Title`. Each heading is a milestone; all of its boxes are tasks.
 *
 * Recognised by at least two boxes whose number begins with that of a heading above them; these
 * are at least half of the boxes.
 */
export function readOpenSpec(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const boxes = outermostBoxes(sections);
  const own = sections.flatMap((section, index) =>
    boxesOfHeading(section, sections.slice(0, index)),
  );
  if (own.length < 2 || own.length * 2 < boxes.length) return undefined;
  const isTask = () => true;
  const milestones = groupedByHeading(sections, isTask).map(({ name, about, boxes: tasks }) => ({
    name,
    about,
    tasks: tasks.map((box) => boxTask(box)),
  }));
  return { form: "openspec", milestones, ranges: boxes, remarks: [] };
}

function boxesOfHeading(section: BoxedSection, before: readonly BoxedSection[]): readonly Box[] {
  const above = before.findLast(({ depth }) => depth < section.depth && depth > 1);
  const numbers = [section, above].map((each) => firstOf(HEADING_NUMBER, each?.heading ?? ""));
  return section.boxes.filter(({ text }) => {
    const first = firstOf(TASK_NUMBER, text);
    return first !== undefined && numbers.includes(first);
  });
}

function firstOf(form: RegExp, text: string): string | undefined {
  return form.exec(text)?.groups?.["first"];
}
