import type { ScannedMilestone } from "./tasks-sections.ts";

/** What a scan found, as far as it depends on what is in the boxes or tells where they are. */
interface Scanned {
  readonly milestones: readonly ScannedMilestone[];
  readonly boxOffsets: readonly number[];
}

/** More changes at once are those of another text. */
const CHANGES_MAX = 256;

/** The characters of a box that are neither parsed otherwise nor part of any text. */
const SPACE = 0x20;
const LOWER = 0x78;
const UPPER = 0x58;

/** The boxes that changed, by the offsets of their characters: whether they are ticked now. */
type ChangedBoxes = ReadonlyMap<number, boolean>;

/**
 * Which boxes a text has otherwise than an earlier one; undefined if anything else differs. What is in a box changes
 * nothing but whether it is ticked, so the earlier scan tells the rest.
 */
export function changedBoxes(
  earlier: string,
  text: string,
  { boxOffsets }: Pick<Scanned, "boxOffsets">,
): ChangedBoxes | undefined {
  if (earlier.length !== text.length) return undefined;
  const changed = new Map<number, boolean>();
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const was = earlier.charCodeAt(at);
    if (unit === was) continue;
    if (!isMark(unit) || !isMark(was) || changed.size === CHANGES_MAX) return undefined;
    if (boxOffsets[firstFrom(boxOffsets, at, (offset) => offset)] !== at) return undefined;
    changed.set(at, unit !== SPACE);
  }
  return changed;
}

function isMark(unit: number): boolean {
  return unit === SPACE || unit === LOWER || unit === UPPER;
}

/** The scan of a text in which only these boxes changed. Milestones without such a box are those of the earlier scan. */
export function withBoxes<S extends Scanned>(scan: S, changed: ChangedBoxes): S {
  const milestones = [...scan.milestones];
  for (const [offset, ticked] of changed) {
    const index = firstFrom(milestones, offset, ({ heading }) => heading.start) - 1;
    const milestone = milestones[index];
    const task = milestone?.tasks.findIndex(({ boxOffset }) => boxOffset === offset) ?? -1;
    // The box of a step, or of free text.
    if (milestone !== undefined && task >= 0)
      milestones[index] = withTicked(milestone, task, ticked);
  }
  return { ...scan, milestones };
}

function withTicked(milestone: ScannedMilestone, task: number, ticked: boolean): ScannedMilestone {
  const tasks = milestone.tasks.map((each, index) => (index === task ? { ...each, ticked } : each));
  return { ...milestone, tasks };
}

/** The index of the first of some places in ascending order that is not before `offset`. */
function firstFrom<T>(places: readonly T[], offset: number, of: (place: T) => number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const place = places[middle];
    if (place !== undefined && of(place) < offset) from = middle + 1;
    else to = middle;
  }
  return from;
}
