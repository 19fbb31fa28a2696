import type { PlanApproval, Policy } from "../../fs-protocol/home/policy.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import type { PlanApproved } from "../state/fold-human.ts";
import type { BuilderFold } from "../state/builder-state.ts";

type PlanInForce = Pick<BuilderFold, "plan" | "planSha">;

/**
 * Whether a person has to approve a plan of the planner before it comes into force. Without
 * limits, a later plan needs one only if it adds a milestone, so that changed tasks of a milestone
 * that a person has seen stop nobody.
 */
export function needsApproval(
  own: PlanInForce,
  staged: { readonly milestones: readonly PlanMilestone[] } | undefined,
  { planApproval }: Pick<Policy, "planApproval">,
): boolean {
  if (planApproval === undefined || staged === undefined) return false;
  const hasLimits = planApproval.tasks !== undefined || planApproval.usd !== undefined;
  if (!hasLimits) return own.planSha === undefined || addsMilestones(own, staged.milestones);
  const count = taskCount(staged.milestones);
  const isMore =
    own.planSha === undefined ||
    addsMilestones(own, staged.milestones) ||
    count > taskCount(own.plan);
  return isMore && exceeds(planApproval, count);
}

/**
 * Whether a person approved this plan. An approval counts only for the bytes that it names, and only
 * if it is newer than the plan: nobody can have looked at a plan that was not staged yet.
 */
export function isPlanApproved(
  { plan, human }: { readonly plan: string; readonly human: number },
  approved: readonly PlanApproved[],
): boolean {
  return approved.some((one) => one.plan === plan && one.index >= human);
}

function addsMilestones({ plan }: PlanInForce, next: readonly PlanMilestone[]): boolean {
  const known = new Set(plan.map(({ name }) => name));
  return next.some(({ name }) => !known.has(name));
}

/** An unknown cost may be above any limit. */
function exceeds({ tasks, usd, usdPerTask }: PlanApproval, count: number): boolean {
  if (tasks !== undefined && count > tasks) return true;
  if (usd === undefined) return false;
  return usdPerTask === undefined || count * usdPerTask > usd;
}

/** The number of tasks in a plan, ticked or not. */
export function taskCount(milestones: readonly PlanMilestone[]): number {
  return milestones.reduce((sum, { tasks }) => sum + tasks.length, 0);
}
