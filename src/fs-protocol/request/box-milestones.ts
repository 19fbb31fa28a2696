import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import { evenParts } from "../tasks/even-parts.ts";
import type { Box, BoxedSection } from "./boxed-sections.ts";
import type { DocumentMilestone, DocumentTask } from "./task-document.ts";

/** The outermost boxes of all sections, in order. */
export function outermostBoxes(sections: readonly BoxedSection[]): readonly Box[] {
  return sections.flatMap(({ boxes }) => boxes);
}

/** A box as one task: the boxes nested in it become steps, which say whether they are done. */
export function boxTask(box: Box, { isDone = false } = {}): DocumentTask {
  const ticked = isDone || box.ticked;
  return {
    text: withMark(box),
    steps: [...box.details, ...box.boxes.flatMap(nestedSteps)],
    ticked,
  };
}

function nestedSteps(box: Box): readonly string[] {
  const done = box.ticked ? "Done already: " : "";
  return [`${done}${withMark(box)}`, ...box.details, ...box.boxes.flatMap(nestedSteps)];
}

function withMark({ text, isOptional }: Box): string {
  return isOptional ? `${text} (optional)` : text;
}

/**
 * Milestones of a list of two levels. A box with boxes in it is a milestone of these; when it is
 * ticked, all of them count as done, and its details are what the milestone is about. Boxes without
 * any, between two of those, make milestones of at most five tasks, which are called `name`.
 */
export function nestedMilestones(
  boxes: readonly Box[],
  { name, about }: { readonly name: string; readonly about: readonly string[] },
): readonly DocumentMilestone[] {
  const milestones = runsOf(boxes).flatMap((run): readonly DocumentMilestone[] => {
    const [first] = run;
    if (first === undefined) return [];
    if (first.boxes.length === 0) {
      return evenParts(run, TASKS_PER_MILESTONE_ADVISED_MAX).map((part) => ({
        name: singleName(part) ?? name,
        about: [],
        tasks: part.map((box) => boxTask(box)),
      }));
    }
    const tasks = first.boxes.map((box) => boxTask(box, { isDone: first.ticked }));
    return [{ name: withMark(first), about: first.details.map((line) => `- ${line}`), tasks }];
  });
  const [first, ...rest] = milestones;
  if (first === undefined) return [];
  const between = about.length > 0 && first.about.length > 0 ? [""] : [];
  return [{ ...first, about: [...about, ...between, ...first.about] }, ...rest];
}

/** A single task names its milestone. */
function singleName(part: readonly Box[]): string | undefined {
  return part.length === 1 ? part[0]?.text : undefined;
}

/** Each box with boxes by itself, and the others between them together. */
function runsOf(boxes: readonly Box[]): readonly (readonly Box[])[] {
  const runs: Box[][] = [];
  for (const box of boxes) {
    const last = runs.at(-1);
    if (box.boxes.length > 0 || last === undefined || (last[0]?.boxes.length ?? 0) > 0)
      runs.push([box]);
    else last.push(box);
  }
  return runs;
}

/** A heading with everything below it that its milestone consists of. */
export interface SectionGroup {
  readonly name: string;
  /** As in `BoxedSection`, with the headings inside of the group. */
  readonly about: readonly string[];
  readonly boxes: readonly Box[];
}

interface OpenGroup extends SectionGroup {
  readonly about: string[];
  readonly boxes: Box[];
}

function addBlock(about: string[], lines: readonly string[]): void {
  if (lines.length === 0) return;
  if (about.length > 0) about.push("");
  about.push(...lines);
}

/**
 * Groups the sections that hold tasks under the highest level of headings that divides them: phases,
 * whatever headings there are inside of them.
 *
 * @param isTask which of the boxes are tasks
 */
export function groupedByHeading(
  sections: readonly BoxedSection[],
  isTask: (box: Box) => boolean,
): readonly SectionGroup[] {
  const depth = dividingDepth(sections, isTask);
  const groups: OpenGroup[] = [];
  for (const section of sections) {
    const inside = section.depth > depth ? groups.at(-1) : undefined;
    const group = inside ?? { name: section.heading, about: [], boxes: [] };
    if (inside === undefined) groups.push(group);
    else addBlock(group.about, [`${"#".repeat(section.depth)} ${section.heading}`]);
    addBlock(group.about, section.about);
    group.boxes.push(...section.boxes.filter(isTask));
  }
  return groups.filter(({ boxes }) => boxes.length > 0);
}

/** The highest level of headings of which more than one holds tasks. */
function dividingDepth(sections: readonly BoxedSection[], isTask: (box: Box) => boolean): number {
  const depths = Array.from({ length: DEPTH_MAX }, (_, index) => index + 1);
  return depths.find((depth) => holdersAt(depth, sections, isTask) > 1) ?? DEPTH_MAX;
}

/** How many headings of at most a level have tasks below them, before the next such heading. */
function holdersAt(
  depth: number,
  sections: readonly BoxedSection[],
  isTask: (box: Box) => boolean,
): number {
  const holders = new Set<number>();
  let holder = -1;
  for (const [index, section] of sections.entries()) {
    if (section.depth <= depth) holder = index;
    if (section.boxes.some(isTask)) holders.add(holder);
  }
  return holders.size;
}

const DEPTH_MAX = 6;
