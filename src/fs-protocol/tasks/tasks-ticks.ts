import type { TickSets } from "./tasks-md.ts";
import { scanTasks, type TasksScan } from "./tasks-scan.ts";
import type { ScannedTask } from "./tasks-sections.ts";

/**
 * Edits the ticks of a TASKS.md by position: only the single character in each box changes.
 * Milestones and ordinals that the text does not contain are ignored.
 */
type BoxChange = (task: ScannedTask, isNamed: boolean) => " " | "x" | undefined;

/** Ticks the named boxes; boxes that are already ticked stay as they are (`[X]`). */
export function setTicks(text: string, ticks: TickSets): string {
  return changeBoxes(text, ticks, (task, isNamed) => (isNamed && !task.ticked ? "x" : undefined));
}

/**
 * Ticks exactly the named boxes and clears all others: produces TASKS.md from the plan in force and
 * the accepted ticks.
 */
export function replaceTicks(text: string, ticks: TickSets): string {
  return changeBoxes(text, ticks, (task, isNamed) => {
    if (task.ticked === isNamed) return undefined;
    return isNamed ? "x" : " ";
  });
}

function changeBoxes(text: string, ticks: TickSets, change: BoxChange): string {
  const changes = new Map<number, string>();
  for (const { name, tasks } of scanTasks(text).milestones) {
    const ordinals = ticks.get(name);
    tasks.forEach((task, index) => {
      const character = change(task, ordinals?.has(index + 1) ?? false);
      if (character !== undefined) changes.set(task.boxOffset, character);
    });
  }
  return withCharacters(text, changes);
}

function withCharacters(text: string, changes: ReadonlyMap<number, string>): string {
  const offsets = [...changes.keys()].sort((one, other) => one - other);
  const pieces = offsets.map((offset, index) => {
    const from = index === 0 ? 0 : (offsets[index - 1] ?? 0) + 1;
    return text.slice(from, offset) + (changes.get(offset) ?? "");
  });
  const rest = offsets.length === 0 ? text : text.slice((offsets.at(-1) ?? 0) + 1);
  return pieces.join("") + rest;
}

export interface NewTicks {
  /** As `tickedSince` finds them. */
  readonly ticks: TickSets;
  /**
   * Whether anything else changed too: texts, order, tasks, free text, or a tick that was removed.
   */
  readonly altered: boolean;
}

/**
 * Finds what an engine changed in its copy of TASKS.md. Boxes of steps, line endings, a byte order
 * mark and trailing white space are ignored.
 */
export function newTicks(before: string, after: string): NewTicks {
  const altered = isAltered(
    { text: before, scan: scanTasks(before) },
    { text: after, scan: scanTasks(after) },
  );
  return { ticks: tickedSince(before, after), altered };
}

/**
 * Finds the boxes that changed from `[ ]` to `[x]`, by milestone; only milestones that have some. A box counts if
 * milestone, ordinal and text are the same as before, whatever else changed.
 */
export function tickedSince(before: string, after: string): TickSets {
  const earlier = scanTasks(before);
  const later = scanTasks(after);
  const ticks = new Map<string, ReadonlySet<number>>();
  // Of two milestones with the same name, the first counts.
  const tasksNow = new Map(
    later.milestones.map(({ name, tasks }) => [name, tasks] as const).reverse(),
  );
  for (const milestone of earlier.milestones) {
    const now = tasksNow.get(milestone.name) ?? [];
    // Scans share the milestones in which nothing changed.
    if (now === milestone.tasks) continue;
    const ordinals = newOrdinals(milestone.tasks, now);
    if (ordinals.size > 0) ticks.set(milestone.name, ordinals);
  }
  return ticks;
}

function newOrdinals(
  before: readonly ScannedTask[],
  after: readonly ScannedTask[],
): ReadonlySet<number> {
  const ordinals = new Set<number>();
  for (const [index, task] of before.entries()) {
    const same = after[index];
    if (!task.ticked && same?.ticked === true && same.text === task.text) ordinals.add(index + 1);
  }
  return ordinals;
}

interface Scanned {
  readonly text: string;
  readonly scan: TasksScan;
}

function isAltered(before: Scanned, after: Scanned): boolean {
  if (withoutBoxes(before) !== withoutBoxes(after)) return true;
  // The texts are equal except for their boxes, so both have the same tasks in the same places.
  const later = after.scan.milestones.flatMap(({ tasks }) => tasks);
  return before.scan.milestones
    .flatMap(({ tasks }) => tasks)
    .some((task, index) => task.ticked && later[index]?.ticked !== true);
}

function withoutBoxes({ text, scan }: Scanned): string {
  const bare = withCharacters(text, new Map(scan.boxOffsets.map((offset) => [offset, " "])));
  const lines = bare.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}
