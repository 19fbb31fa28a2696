import { outermostBoxes } from "./box-milestones.ts";
import type { BoxedSection } from "./boxed-sections.ts";
import { headedMilestone, headedSections } from "./headed-sections.ts";
import type { TaskDocument } from "./task-document.ts";

/** `Phase 2: Title`, `Sprint 3`, `2. Title`, `2) Title`. */
const NUMBERED =
  /^[*_]*(?:(?:phase|step|stage|sprint|week|day|part|iteration)\s+\d{1,3}(?![\p{L}\p{N}])|\d{1,3}[.)]\s)/iu;

/**
 * Reads a checklist among prose: numbered headings, every one of which has boxes below it, as in
 * `## Phase 1: Title`. Each is a milestone.
 *
 * In most other documents boxes are questions or conditions: these stand in some of the numbered
 * chapters, or in chapters without numbers. Recognised by at least two numbered headings of the same
 * level, all with boxes, which are at least half of all boxes.
 */
export function readNumberedHeadings(sections: readonly BoxedSection[]): TaskDocument | undefined {
  const depth = sections.find(isNumbered)?.depth;
  const parts = headedSections(sections, (each) => isNumbered(each) && each.depth === depth);
  const boxes = parts.map((part) => outermostBoxes(part.sections));
  if (parts.length < 2 || boxes.some(({ length }) => length === 0)) return undefined;
  const ranges = boxes.flat();
  if (ranges.length * 2 < outermostBoxes(sections).length) return undefined;
  return { form: "checklist", milestones: parts.map(headedMilestone), ranges, remarks: [] };
}

function isNumbered({ heading, depth }: BoxedSection): boolean {
  return depth >= 2 && NUMBERED.test(heading);
}
