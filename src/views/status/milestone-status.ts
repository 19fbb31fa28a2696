import { milestoneGaveUp } from "../../session/state/gave-up.ts";
import type { HumanEdit } from "../../session/state/fold-human.ts";
import { pendingEdit, ticksAfterEdit } from "../../session/rules/plan-edit.ts";
import type { TickSets } from "../../fs-protocol/tasks/tasks-md.ts";
import { editMisfit } from "../../session/steps/plan-fits.ts";
import { recordedNames, setAside, stalledAttempts } from "../../session/rules/build-order.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** A milestone and its progress. */
export interface MilestoneStatus {
  readonly name: string;
  readonly tasksDone: number;
  readonly tasks: number;
  readonly isFinished: boolean;
  readonly isReviewed: boolean;
  readonly isTested: boolean;
  /** Roles that gave up on the milestone and are not asked again before `wisp resume`. */
  readonly gaveUp: readonly ("reviewer" | "tester")[];
  /** Attempts in a row without progress. */
  readonly stalled: number;
  /** Whether it stalled so often that other milestones are built first. */
  readonly isSetAside: boolean;
}

/** The plan that the builder follows next: the plan in force, or a person's pending edit of that plan. */
export function planAhead(
  state: Pick<SessionState, "builder" | "human">,
): readonly PlanMilestone[] {
  return editAhead(state)?.milestones ?? state.builder.plan;
}

/** The edit of the plan that the builder is about to adopt, if any. */
export function editAhead({
  builder,
  human,
}: Pick<SessionState, "builder" | "human">): HumanEdit | undefined {
  const edit = pendingEdit(human, builder);
  return edit !== undefined && editMisfit(builder, edit) === undefined ? edit : undefined;
}

/** The ticked tasks of the plan that the builder follows next, by milestone. */
export function ticksAhead(state: Pick<SessionState, "builder" | "human">): TickSets {
  const { ticks } = state.builder;
  const names = recordedNames(state.builder);
  const edit = editAhead(state);
  if (edit === undefined) return ticks;
  const recorded = [...ticks].filter(([m]) => names.has(m));
  const open = ticksAfterEdit(state.builder, edit).map(
    ({ m, tasks }) => [m, new Set(tasks)] as const,
  );
  return new Map([...recorded, ...open]);
}

/** Every milestone of the plan with its progress. */
export function milestoneStatuses(state: SessionState): readonly MilestoneStatus[] {
  const { builder, reviewer, tester, policy } = state;
  const ticks = ticksAhead(state);
  const aside = new Set(setAside(builder, policy).map(({ name }) => name));
  const recorded = recordedNames(builder);
  return planAhead(state).map(({ name, tasks }) => {
    const isFinished = recorded.has(name);
    return {
      name,
      tasksDone: isFinished ? tasks.length : (ticks.get(name)?.size ?? 0),
      tasks: tasks.length,
      isFinished,
      isReviewed: reviewer.answered.has(name) && milestoneGaveUp(reviewer, name) === undefined,
      isTested: tester.answered.has(name) && milestoneGaveUp(tester, name) === undefined,
      gaveUp: [
        ...(milestoneGaveUp(reviewer, name) !== undefined ? (["reviewer"] as const) : []),
        ...(milestoneGaveUp(tester, name) !== undefined ? (["tester"] as const) : []),
      ],
      stalled: stalledAttempts(builder, name),
      isSetAside: aside.has(name),
    };
  });
}

/** A milestone that is not finished, with its tasks. */
export interface OpenMilestone {
  readonly name: string;
  readonly tasks: readonly { readonly text: string; readonly isDone: boolean }[];
}

/** The milestone that is built now or next; undefined if none is left, or all that are left are set aside. */
export function openMilestone(
  state: Pick<SessionState, "builder" | "human" | "policy">,
): OpenMilestone | undefined {
  const { builder, policy } = state;
  const recorded = recordedNames(builder);
  const aside = new Set(setAside(builder, policy).map(({ name }) => name));
  const open = planAhead(state).find(({ name }) => !recorded.has(name) && !aside.has(name));
  if (open === undefined) return undefined;
  const ticks = ticksAhead(state).get(open.name);
  const tasks = open.tasks.map((text, at) => ({ text, isDone: ticks?.has(at + 1) ?? false }));
  return { name: open.name, tasks };
}

/** The progress of a whole plan. */
export interface PlanProgress {
  readonly milestones: { readonly done: number; readonly of: number };
  readonly tasks: { readonly done: number; readonly of: number };
}

/** Counts the milestones and tasks of a plan. */
export function planProgress(plan: readonly MilestoneStatus[]): PlanProgress {
  const sum = (of: "tasks" | "tasksDone") => plan.reduce((total, one) => total + one[of], 0);
  const done = plan.filter(({ isFinished }) => isFinished).length;
  return {
    milestones: { done, of: plan.length },
    tasks: { done: sum("tasksDone"), of: sum("tasks") },
  };
}
