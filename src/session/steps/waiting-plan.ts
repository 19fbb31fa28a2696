import { pendingEdit } from "../rules/plan-edit.ts";
import { isPlanApproved, needsApproval } from "../rules/plan-approval.ts";
import type { PlanAnswer } from "../state/fold-planner.ts";
import type { SessionState } from "../state/session-state.ts";
import type { Phase } from "../state/stage.ts";
import { summarizePlanner } from "./log-summaries.ts";
import { planMisfit } from "./plan-fits.ts";

/** A plan of the planner that comes into force only when a person approves it. */
export interface WaitingPlan {
  readonly answer: PlanAnswer;
  readonly staged: NonNullable<PlanAnswer["staged"]>;
}

/** Where the builder decides about a plan, if it has no unit of its own under way. */
const DECIDES: Readonly<Record<Phase, boolean>> = {
  plan: true,
  build: false,
  window: true,
  fix: false,
  final: true,
  halt: true,
  done: false,
};

/** The plan that waits for a person's approval, by the rules that the builder itself decides by. */
export function waitingPlan({
  builder,
  planner,
  human,
  policy,
}: Pick<SessionState, "builder" | "planner" | "human" | "policy">): WaitingPlan | undefined {
  const answer = summarizePlanner(planner, builder).next;
  const staged = answer?.staged;
  if (answer === undefined || staged === undefined || !DECIDES[builder.stage.kind])
    return undefined;
  // A person's edit counts as the decision, and the builder adopts it first.
  if (pendingEdit(human, builder) !== undefined) return undefined;
  if (planMisfit(builder, staged) !== undefined) return undefined;
  if (!needsApproval(builder, staged, policy)) return undefined;
  const isSettled = isPlanApproved(staged, human.approvedPlans) || answer.request < human.updates;
  return isSettled ? undefined : { answer, staged };
}
