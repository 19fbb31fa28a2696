import { taskCount } from "../../session/rules/plan-approval.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { waitingPlan } from "../../session/steps/waiting-plan.ts";

/** A plan that waits for a person's approval, in short. */
export interface PlanToApprove {
  /** The digest of its bytes, which an approval names. */
  readonly sha256: string;
  readonly milestones: number;
  readonly tasks: number;
}

/** The plan that waits for a person's approval; nothing waits in a session that a person closed. */
export function planToApprove(state: SessionState): PlanToApprove | undefined {
  const staged = waitingPlan(state)?.staged;
  if (staged === undefined || state.human.closed !== undefined) return undefined;
  const { plan: sha256, milestones } = staged;
  return { sha256, milestones: milestones.length, tasks: taskCount(milestones) };
}
