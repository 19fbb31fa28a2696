import { unreachable } from "../../base/assert.ts";
import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { PlanMilestone } from "../codec/record-fields.ts";
import { parseTasks, planMilestones, type TasksDocument, type TasksFailure } from "./tasks-md.ts";

/** A milestone of the plan in force that a new plan must repeat verbatim. */
export interface StandingMilestone extends PlanMilestone {
  /** `started`: not recorded as ended, but with a ticked box. */
  readonly state: "completed" | "started";
}

/** A milestone above the advised size; not a reason to refuse the plan. */
export interface OversizedMilestone {
  readonly name: string;
  /** Number of tasks. */
  readonly count: number;
}

/** A draft that may be staged. */
export interface CheckedPlan {
  readonly document: TasksDocument;
  /** As the plan's record stores them. */
  readonly milestones: readonly PlanMilestone[];
  /** In the plan's order. */
  readonly oversized: readonly OversizedMilestone[];
}

/** What is wrong with a draft. */
export type PlanProblem =
  | TasksFailure
  | { readonly kind: "standing-missing"; readonly standing: StandingMilestone }
  | { readonly kind: "standing-changed"; readonly standing: StandingMilestone }
  /** It now comes before its `predecessor`. */
  | {
      readonly kind: "standing-moved";
      readonly standing: StandingMilestone;
      readonly predecessor: string;
    };

export interface PlanRefusal {
  readonly kind: "plan";
  /** Never empty. */
  readonly problems: readonly PlanProblem[];
}

/**
 * Checks a planner's draft against the completed and started milestones (`standing`, in the order
 * of the plan in force). Boxes are ignored: wisp sets the ticks, not the planner.
 */
export function checkPlan(
  draft: string,
  standing: readonly StandingMilestone[],
): Result<CheckedPlan, PlanRefusal> {
  const parsed = parseTasks(draft);
  if (!parsed.ok) return fail({ kind: "plan", problems: [parsed.failure] });
  const milestones = planMilestones(parsed.value);
  const problems = standingProblems(milestones, standing);
  if (problems.length > 0) return fail({ kind: "plan", problems });
  return ok({ document: parsed.value, milestones, oversized: oversizedOf(milestones, standing) });
}

function standingProblems(
  milestones: readonly PlanMilestone[],
  standing: readonly StandingMilestone[],
): readonly PlanProblem[] {
  const places = new Map(milestones.map(({ name }, index) => [name, index]));
  let last = { name: "", place: -1 };
  return standing.flatMap((milestone): PlanProblem[] => {
    const place = places.get(milestone.name);
    if (place === undefined) return [{ kind: "standing-missing", standing: milestone }];
    const before = last;
    if (place > last.place) last = { name: milestone.name, place };
    return [
      ...(hasTasks(milestones[place], milestone.tasks)
        ? []
        : [{ kind: "standing-changed" as const, standing: milestone }]),
      ...(place > before.place
        ? []
        : [{ kind: "standing-moved" as const, standing: milestone, predecessor: before.name }]),
    ];
  });
}

function hasTasks(milestone: PlanMilestone | undefined, tasks: readonly string[]): boolean {
  return (
    milestone?.tasks.length === tasks.length &&
    tasks.every((task, index) => task === milestone.tasks[index])
  );
}

/** Standing milestones must stay verbatim, so only the others can be split. */
function oversizedOf(
  milestones: readonly PlanMilestone[],
  standing: readonly StandingMilestone[],
): readonly OversizedMilestone[] {
  const names = new Set(standing.map(({ name }) => name));
  return milestones
    .filter(({ name, tasks }) => !names.has(name) && tasks.length > TASKS_PER_MILESTONE_ADVISED_MAX)
    .map(({ name, tasks }) => ({ name, count: tasks.length }));
}

/** The sentence with which the planner is asked to try again, once (seed 003, C). */
export function splitSentence({ name, count }: OversizedMilestone): string {
  const max = String(TASKS_PER_MILESTONE_ADVISED_MAX);
  return (
    `Milestone '${name}' has ${String(count)} tasks. ` +
    `Split it into smaller milestones of at most ${max} tasks each.`
  );
}

/**
 * Describes a problem in a sentence: for the planner's next attempt, for records, and for people.
 */
export function planProblemSentence(problem: PlanProblem): string {
  switch (problem.kind) {
    case "tasks":
      return `Line ${String(problem.line)} of the plan: ${problem.problem}.`;
    case "standing-missing":
      return `${subject(problem.standing)} is missing from the plan. Keep it as it is.`;
    case "standing-changed":
      return `The tasks of ${subject(problem.standing, "the")} were changed. Keep them word for word.`;
    case "standing-moved":
      return (
        `${subject(problem.standing)} was moved before the milestone '${problem.predecessor}'. ` +
        "Keep what is begun in its order."
      );
    default:
      return unreachable(problem);
  }
}

function subject({ name, state }: StandingMilestone, article: "The" | "the" = "The"): string {
  return `${article} ${state} milestone '${name}'`;
}
