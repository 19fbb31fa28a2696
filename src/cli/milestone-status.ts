import { setAside, stalledAttempts } from "../fs-protocol/build-order.ts";
import type { PlanMilestone } from "../fs-protocol/record-fields.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";

/** A milestone and how far it is. */
export interface MilestoneStatus {
  readonly name: string;
  readonly tasksDone: number;
  readonly tasks: number;
  readonly isFinished: boolean;
  readonly isReviewed: boolean;
  readonly isTested: boolean;
  /** Who has given up on it, and is not asked again before `wisp resume`. */
  readonly gaveUp: readonly ("reviewer" | "tester")[];
  /** Attempts in a row without progress. */
  readonly stalled: number;
  /** They were so many that other milestones are built first. */
  readonly isSetAside: boolean;
}

/** The plan in force; before the builder has taken one over, what a person gave it to begin with. */
export function planAhead({ builder, human }: SessionState): readonly PlanMilestone[] {
  return builder.plan.length > 0 ? builder.plan : (human.edit?.milestones ?? []);
}

/** Every milestone of the plan, and how far it is. */
export function milestoneStatuses(state: SessionState): readonly MilestoneStatus[] {
  const { builder, reviewer, tester, policy } = state;
  const aside = setAside(builder, policy);
  return planAhead(state).map(({ name, tasks }) => {
    const isFinished = builder.milestones.some((ended) => ended.name === name);
    return {
      name,
      tasksDone: isFinished ? tasks.length : (builder.ticks.get(name)?.size ?? 0),
      tasks: tasks.length,
      isFinished,
      isReviewed: reviewer.answered.has(name) && !reviewer.gaveUp.has(`m${name}`),
      isTested: tester.answered.has(name) && !tester.gaveUp.has(`m${name}`),
      gaveUp: [
        ...(reviewer.gaveUp.has(`m${name}`) ? (["reviewer"] as const) : []),
        ...(tester.gaveUp.has(`m${name}`) ? (["tester"] as const) : []),
      ],
      stalled: stalledAttempts(builder, name),
      isSetAside: aside.some((milestone) => milestone.name === name),
    };
  });
}
