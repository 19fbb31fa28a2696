import type { BuilderFold } from "../fs-protocol/builder-state.ts";
import type { PlanMilestone } from "../fs-protocol/record-fields.ts";

/**
 * Whether a plan leaves alone what is completed or started: every such milestone must stand in it
 * verbatim, in the same order among themselves. Returns why not, or undefined. The builder compares
 * with its own log, which is never stale (coordination, "Late re-plan").
 */
export function planMisfit(own: BuilderFold, next: readonly PlanMilestone[]): string | undefined {
  const fixed = own.plan.filter(({ name }) => isFixed(own, name));
  let from = 0;
  for (const milestone of fixed) {
    const at = next.findIndex(({ name }) => name === milestone.name);
    if (at < 0) return `it drops the milestone "${milestone.name}", which is already begun`;
    if (at < from) return `it moves the milestone "${milestone.name}" before an earlier one`;
    if (!isVerbatim(milestone, next[at])) {
      return `it changes the tasks of the milestone "${milestone.name}", which is already begun`;
    }
    from = at + 1;
  }
  return undefined;
}

function isFixed(own: BuilderFold, name: string): boolean {
  return own.ticks.has(name) || own.milestones.some((ended) => ended.name === name);
}

function isVerbatim(milestone: PlanMilestone, other: PlanMilestone | undefined): boolean {
  return (
    other?.tasks.length === milestone.tasks.length &&
    milestone.tasks.every((task, index) => task === other.tasks[index])
  );
}
