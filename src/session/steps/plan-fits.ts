import { isBegun } from "../rules/build-order.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import type { PlanAnswer } from "../state/fold-planner.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

/**
 * Whether the planner's plan may come into force. It has to be made for the plan that is in force: one
 * that was made before a person's edit never undoes it. And it has to leave alone what is completed or
 * started: every such milestone must stand in it verbatim, in the same order among themselves. Returns
 * why not, or undefined. The builder compares with its own log, which is never stale (coordination,
 * "Late re-plan").
 */
export function planMisfit(own: BuilderFold, staged: PlanAnswer["staged"]): string | undefined {
  if (staged?.base !== own.planSha) return "it was made for another plan than the one in force";
  const begun = own.plan.filter(({ name }) => isBegun(own, name) || isRecorded(own, name));
  return misfit(begun, staged?.milestones ?? [], "which is already begun");
}

/** Whether a person's edit leaves alone what is recorded; everything else is theirs to change. */
export function editMisfit(own: BuilderFold, edit: HumanEdit): string | undefined {
  const recorded = own.plan.filter(({ name }) => isRecorded(own, name));
  return misfit(recorded, edit.milestones, "which is completed meanwhile");
}

function isRecorded({ milestones }: BuilderFold, name: string): boolean {
  return milestones.some((ended) => ended.name === name);
}

function misfit(
  fixed: readonly PlanMilestone[],
  next: readonly PlanMilestone[],
  because: string,
): string | undefined {
  let from = 0;
  for (const milestone of fixed) {
    const at = next.findIndex(({ name }) => name === milestone.name);
    if (at < 0) return `it drops the milestone "${milestone.name}", ${because}`;
    if (at < from) return `it moves the milestone "${milestone.name}" before an earlier one`;
    if (!isVerbatim(milestone, next[at])) {
      return `it changes the tasks of the milestone "${milestone.name}", ${because}`;
    }
    from = at + 1;
  }
  return undefined;
}

function isVerbatim(milestone: PlanMilestone, other: PlanMilestone | undefined): boolean {
  return (
    other?.tasks.length === milestone.tasks.length &&
    milestone.tasks.every((task, index) => task === other.tasks[index])
  );
}
