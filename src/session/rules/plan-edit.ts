import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanEdit, HumanFold } from "../state/fold-human.ts";
import type { PlanMilestone, MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import { recordedNames } from "./build-order.ts";
import { scanTasks } from "../../fs-protocol/tasks/tasks-scan.ts";
import { setTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";

/** A plan and its ticked boxes, with or without the recorded milestones. */
export interface TickedPlan {
  readonly milestones: readonly PlanMilestone[];
  readonly ticks: readonly MilestoneTicks[];
}

/** Returns the newest edit of TASKS.md if the builder has neither adopted nor refused it. */
export function pendingEdit(
  human: Pick<HumanFold, "edit">,
  builder: Pick<BuilderFold, "edited">,
): HumanEdit | undefined {
  return human.edit !== undefined && human.edit.index > builder.edited ? human.edit : undefined;
}

/** Returns the plan in force with its accepted ticks. */
export function tickedPlan({ plan, ticks }: Pick<BuilderFold, "plan" | "ticks">): TickedPlan {
  return {
    milestones: plan,
    ticks: [...ticks].map(([m, tasks]) => ({ m, tasks: [...tasks] })),
  };
}

/**
 * Returns the ticks that an edited plan has when it comes into force, for milestones that are not
 * recorded: the boxes that the person set or left ticked, and ticks that were accepted since the
 * edit for tasks that are still there.
 */
export function ticksAfterEdit(
  own: Pick<BuilderFold, "plan" | "ticks" | "milestones">,
  edit: Pick<HumanEdit, "milestones" | "ticks" | "cleared">,
): readonly MilestoneTicks[] {
  const recorded = recordedNames(own);
  const open = edit.milestones.filter(({ name }) => !recorded.has(name));
  const setBoxes = boxesByName(edit.ticks);
  const clearedBoxes = boxesByName(edit.cleared);
  const accepted = tickedTasks(tickedPlan(own));
  return open.flatMap(({ name: m, tasks }) => {
    const isTicked = setBoxes.get(m) ?? NO_BOXES;
    const isCleared = clearedBoxes.get(m) ?? NO_BOXES;
    const ticked = namedTasks(m, tasks).flatMap((task, index) => {
      const isKept = accepted.has(task) && !isCleared.has(index + 1);
      return isTicked.has(index + 1) || isKept ? [index + 1] : [];
    });
    return ticked.length > 0 ? [{ m, tasks: ticked }] : [];
  });
}

/**
 * Adds to an edited text the ticks that were accepted since it was written, for tasks that are
 * still there, so that finished tasks are not done again unless the person cleared them on purpose.
 */
export function withAcceptedTicks(
  text: string,
  builder: Pick<BuilderFold, "plan" | "ticks">,
): string {
  const accepted = tickedTasks(tickedPlan(builder));
  const ticks = scanTasks(text).milestones.map(({ name, tasks }) => {
    const names = namedTasks(
      name,
      tasks.map((task) => task.text),
    );
    const boxes = names.flatMap((task, index) => (accepted.has(task) ? [index + 1] : []));
    return [name, new Set(boxes)] as const;
  });
  return setTicks(text, new Map(ticks));
}

/**
 * Returns the boxes of `next` that are empty although they were ticked in one of the earlier plans.
 */
export function clearedTicks(
  next: TickedPlan,
  before: readonly TickedPlan[],
): readonly MilestoneTicks[] {
  const ticked = new Set(before.flatMap((plan) => [...tickedTasks(plan)]));
  const boxesNow = boxesByName(next.ticks);
  return next.milestones.flatMap(({ name: m, tasks }) => {
    const boxes = boxesNow.get(m) ?? NO_BOXES;
    const cleared = namedTasks(m, tasks).flatMap((task, index) =>
      ticked.has(task) && !boxes.has(index + 1) ? [index + 1] : [],
    );
    return cleared.length > 0 ? [{ m, tasks: cleared }] : [];
  });
}

const NO_BOXES: ReadonlySet<number> = new Set();

function boxesByName(ticks: readonly MilestoneTicks[]): ReadonlyMap<string, ReadonlySet<number>> {
  const boxes = new Map<string, Set<number>>();
  for (const { m, tasks } of ticks) boxes.set(m, new Set([...(boxes.get(m) ?? []), ...tasks]));
  return boxes;
}

function tickedTasks({ milestones, ticks }: TickedPlan): ReadonlySet<string> {
  const byName = boxesByName(ticks);
  return new Set(
    milestones.flatMap(({ name, tasks }) => {
      const boxes = byName.get(name) ?? NO_BOXES;
      return namedTasks(name, tasks).filter((_, index) => boxes.has(index + 1));
    }),
  );
}

/**
 * Names each task independently of its position in the milestone. Tasks with equal text are
 * numbered in their order.
 */
function namedTasks(milestone: string, tasks: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return tasks.map((text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return JSON.stringify([milestone, text, count]);
  });
}
