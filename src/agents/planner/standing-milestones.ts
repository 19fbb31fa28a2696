import { isBegun } from "../../session/rules/build-order.ts";
import type { StandingMilestone } from "../../fs-protocol/tasks/plan-check.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** What a new plan must leave alone, as far as the planner can see; the builder checks it again. */
export function standingMilestones({ builder }: SessionState): readonly StandingMilestone[] {
  return builder.plan.flatMap((milestone): readonly StandingMilestone[] => {
    const isCompleted = builder.milestones.some(({ name }) => name === milestone.name);
    if (isCompleted) return [{ ...milestone, state: "completed" }];
    if (isBegun(builder, milestone.name)) return [{ ...milestone, state: "started" }];
    return [];
  });
}
