import { isBegun } from "../../src/session/rules/build-order.ts";
import type { BuilderFold } from "../../src/session/state/builder-state.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { PlanMilestone } from "../../src/fs-protocol/codec/record-fields.ts";
import type { PlannerStep } from "../../src/session/steps/step.ts";
import type { Move } from "./move.ts";
import { milestoneOf, planDigest, TIME, updateMilestone } from "./names.ts";
import type { State, World } from "./world.ts";

type Plan = Extract<PlannerStep, { kind: "plan" }>;
type PlanEnd = Extract<PlannerRecord, { kind: "plan.end" }>;

/**
 * The ways in which the planner's next step may end, given the builder's log as `seen`, from which it knows the plan
 * in force and the milestones that have begun.
 */
export function plannerMoves(
  world: World,
  state: State,
  step: PlannerStep,
  seen: BuilderFold,
): readonly Move[] {
  if (step.kind !== "plan") return [];
  const answers = plansOf(world, step, seen).map(({ label, milestones, spend }) => {
    const staged = milestones && { plan: planDigest(milestones), milestones: [...milestones] };
    // Absent before the first plan.
    const base = seen.planSha === undefined ? {} : { base: seen.planSha };
    const said = world.scenario.approval === undefined ? {} : { human: state.human.length };
    const plan = staged && { ...staged, ...base, ...said };
    const outcome = plan === undefined ? ("keep" as const) : ("plan" as const);
    const move = {
      label,
      planner: state.planner.grow({ ...planEnd(state, step), outcome, ...plan }),
    };
    return spend === undefined ? move : { ...move, spend };
  });
  const { reopens } = step;
  const lost: PlanEnd = { ...planEnd(state, step), outcome: "gaveup", reopens };
  const question = `planner-${String(state.planner.fold.questions.length + 1)}`;
  const asks: PlanEnd = { ...planEnd(state, step), outcome: "needs_input", question };
  return [
    ...answers,
    {
      label: `P gives up (boundary ${step.boundary})`,
      spend: "gaveup",
      planner: state.planner.grow(lost),
    },
    { label: "P needs input", spend: "asks", planner: state.planner.grow(asks) },
  ];
}

function planEnd(state: State, { unit, boundary, request }: Plan): Omit<PlanEnd, "outcome"> {
  const seq = state.planner.fold.answers.length;
  return { kind: "plan.end", time: TIME, unit, seq, boundary, request };
}

interface Answer {
  readonly label: string;
  /** Undefined: keep. */
  readonly milestones: readonly PlanMilestone[] | undefined;
  readonly spend?: "rethink" | undefined;
}

function plansOf(world: World, step: Plan, seen: BuilderFold): readonly Answer[] {
  const first = world.scenario.plan.map(milestoneOf);
  const seeing = `(saw ${seen.milestones.length} done)`;
  switch (step.how) {
    case "first":
      return [{ label: "P plan", milestones: withUpdates(first, 0, step.request) }];
    case "replan": {
      const next = withUpdates(seen.plan, seen.planRequest, step.request);
      return [next, ...renamed(next, seen)].map((milestones) => ({
        label: `P re-plan ${namesOf(milestones)} ${seeing}`,
        milestones,
      }));
    }
    case "reconsider":
    case "keep": {
      const keep = { label: `P keep (boundary ${step.boundary})`, milestones: undefined };
      const others = renamed(seen.plan, seen).map((milestones) => ({
        label: `P reconsiders: ${namesOf(milestones)} ${seeing}`,
        milestones,
        spend: "rethink" as const,
      }));
      return [keep, ...others];
    }
  }
}

function namesOf(milestones: readonly PlanMilestone[]): string {
  return milestones.map(({ name }) => name).join();
}

function withUpdates(
  plan: readonly PlanMilestone[],
  from: number,
  to: number,
): readonly PlanMilestone[] {
  const next = [...plan];
  for (let v = Math.max(from, 0) + 1; v <= to; v++) next.push(updateMilestone(v));
  return next;
}

/** The plan with one change: to the last milestone that has not begun, as far as the planner knows. */
function renamed(
  plan: readonly PlanMilestone[],
  seen: BuilderFold,
): readonly (readonly PlanMilestone[])[] {
  const index = plan.findLastIndex(
    ({ name }) =>
      !seen.milestones.some((ended) => ended.name === name) &&
      !isBegun(seen, name) &&
      seen.plan.some((known) => known.name === name),
  );
  const old = plan[index];
  return old === undefined ? [] : [plan.with(index, milestoneOf(`x${old.name}`))];
}
