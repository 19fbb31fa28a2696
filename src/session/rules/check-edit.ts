import { ok, type Result } from "../../base/result.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import { recordedNames } from "./build-order.ts";
import { clearedTicks, tickedPlan, type TickedPlan } from "./plan-edit.ts";
import type { PlanMilestone, MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import { parseTasks, planMilestones, TasksFailure } from "../../fs-protocol/tasks/tasks-md.ts";
import { scanTasks } from "../../fs-protocol/tasks/tasks-scan.ts";
import type { ScannedMilestone } from "../../fs-protocol/tasks/tasks-sections.ts";

/** The content of an edited TASKS.md, in the form in which the record of the edit holds it. */
export type EditDraft = Pick<HumanEdit, "base" | "milestones" | "ticks" | "cleared">;

/**
 * Validates a TASKS.md that a person edited. It must be a plan that leaves every recorded milestone
 * as it was recorded: its text, its ticks, and the order among recorded milestones. The person may
 * change everything else, including checkboxes.
 *
 * @param pending the previous edit, if the builder has not adopted it yet
 */
export function checkEdit(
  text: string,
  builder: BuilderFold,
  pending: HumanEdit | undefined,
): Result<EditDraft, TasksFailure> {
  const parsed = parseTasks(text);
  if (!parsed.ok) return parsed;
  const scanned = scanTasks(text).milestones;
  const failure = recordedFailure(scanned, builder);
  if (failure !== undefined) return { ok: false, failure };
  const recorded = recordedNames(builder);
  const isOpen = ({ name }: { readonly name: string }) => !recorded.has(name);
  const ticks = scanned.filter(isOpen).flatMap(ticksOf);
  const milestones = planMilestones(parsed.value);
  const before: readonly TickedPlan[] = [tickedPlan(builder), ...(pending ? [pending] : [])];
  const cleared = clearedTicks({ milestones: milestones.filter(isOpen), ticks }, before);
  return ok({ base: builder.planSha, milestones, ticks, cleared });
}

function ticksOf({ name: m, tasks }: ScannedMilestone): readonly MilestoneTicks[] {
  const ticked = tasks.flatMap((task, index) => (task.ticked ? [index + 1] : []));
  return ticked.length > 0 ? [{ m, tasks: ticked }] : [];
}

function recordedFailure(
  scanned: readonly ScannedMilestone[],
  builder: BuilderFold,
): TasksFailure | undefined {
  let last: ScannedMilestone | undefined;
  const names = recordedNames(builder);
  const byName = new Map(scanned.map((milestone) => [milestone.name, milestone]));
  for (const recorded of builder.plan.filter(({ name }) => names.has(name))) {
    const found = byName.get(recorded.name);
    const failure = found === undefined ? missing(recorded) : changed(found, recorded);
    if (failure !== undefined) return failure;
    if (found !== undefined && last !== undefined && found.line < last.line) {
      const what = `the completed milestone "${recorded.name}" was moved before "${last.name}"`;
      return failureAt(found.line, what);
    }
    last = found;
  }
  return undefined;
}

function missing({ name }: PlanMilestone): TasksFailure {
  return failureAt(1, `the completed milestone "${name}" is missing`);
}

function changed(found: ScannedMilestone, { name, tasks }: PlanMilestone) {
  const subject = `of the completed milestone "${name}"`;
  const other = found.tasks.find(({ text }, index) => text !== tasks[index]);
  if (other !== undefined) return failureAt(other.line, `the tasks ${subject} were changed`);
  if (found.tasks.length !== tasks.length) {
    return failureAt(found.line, `a task ${subject} is missing`);
  }
  const empty = found.tasks.find(({ ticked }) => !ticked);
  return empty && failureAt(empty.line, `the tick of a task ${subject} was taken back`);
}

function failureAt(line: number, problem: string): TasksFailure {
  return TasksFailure({ line, problem });
}
