import { nestedMilestones, outermostBoxes } from "./box-milestones.ts";
import type { Box, BoxedSection } from "./boxed-sections.ts";
import type { DocumentMilestone, TaskDocument } from "./task-document.ts";

/** `3. Title`, `3 Title`, `3.2 Title`, `3.2. Title`. */
const NUMBERED = /^[*_]*(?<number>\d{1,3}(?:\.\d{1,3})*)\.?(?=[\s*_])/;
/** `_Requirements: 1.1, 2.3_`, with which Kiro ends a task. */
const REQUIREMENTS = /^[*_]*(?:Requirements|Validates)\b.*\d/i;

/**
 * Reads the `tasks.md` of Kiro: `- [ ] 1. Title`, in it or below it `- [ ] 1.1 Subtask`, each with
 * bullets that explain it. A task with subtasks is a milestone of these; the tasks between such ones are put
 * together, at most five in a milestone. Optional tasks (`- [ ]* 1.2`) are tasks, too.
 *
 * Recognised by whole numbers on the outermost boxes, and by either subtasks whose numbers extend
 * these or bullets with `_Requirements: …_`.
 */
export function readKiro(flat: readonly BoxedSection[]): TaskDocument | undefined {
  const sections = flat.map((section) => ({ ...section, boxes: withSubtasks(section.boxes) }));
  const boxes = outermostBoxes(sections);
  const numbered = boxes.filter((box) => numberOf(box) !== undefined);
  if (numbered.length * 2 <= boxes.length || !boxes.some(isMarked)) return undefined;
  if (!numbered.some((box) => /^\d+$/.test(numberOf(box) ?? ""))) return undefined;
  const milestones = sections.flatMap((section, index) =>
    sectionMilestones(section, sections.slice(0, index)),
  );
  const optional = boxes.flatMap(optionalIn);
  return {
    form: "kiro",
    milestones,
    ranges: outermostBoxes(flat),
    remarks: optionalWords(optional),
  };
}

function sectionMilestones(
  { heading, about, boxes }: BoxedSection,
  before: readonly BoxedSection[],
): readonly DocumentMilestone[] {
  const title = before.find(({ depth }) => depth === 1)?.heading ?? "";
  const name = heading === "" ? title : heading;
  return nestedMilestones(boxes, { name, about });
}

function numberOf({ text }: Box): string | undefined {
  return NUMBERED.exec(text)?.groups?.["number"];
}

function isMarked(box: Box): boolean {
  const number = numberOf(box);
  if (number === undefined) return false;
  if (box.details.some((line) => REQUIREMENTS.test(line))) return true;
  return box.boxes.some((nested) => numberOf(nested)?.startsWith(`${number}.`) ?? false);
}

/** Puts boxes `2.1`, `2.2` into the box `2` before them, if they stand beside it. */
function withSubtasks(boxes: readonly Box[]): readonly Box[] {
  const nested: (Box & { readonly boxes: Box[] })[] = [];
  for (const box of boxes) {
    const last = nested.at(-1);
    const number = last === undefined ? undefined : numberOf(last);
    const isInside = number !== undefined && numberOf(box)?.startsWith(`${number}.`) === true;
    if (last !== undefined && isInside) last.boxes.push(box);
    else nested.push({ ...box, boxes: [...box.boxes] });
  }
  return nested;
}

function optionalIn(box: Box): readonly Box[] {
  return [...(box.isOptional ? [box] : []), ...box.boxes.flatMap(optionalIn)];
}

function optionalWords(optional: readonly Box[]): readonly string[] {
  const open = optional.filter(({ ticked }) => !ticked);
  if (open.length === 0) return [];
  const which = open.length === 1 ? "1 task is" : `${String(open.length)} tasks are`;
  return [`${which} marked as optional, and in the plan like the others`];
}
