import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanFold } from "../state/fold-human.ts";
import type { PlanAnswer, PlannerFold } from "../state/fold-planner.ts";
import type { Phase } from "../state/stage.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { pendingEdit } from "../rules/plan-edit.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { roleGate } from "./role-gate.ts";
import { waitFor, type PlannerStep } from "./step.ts";

/** All facts that the planner's next step depends on. */
export interface PlannerView {
  readonly own: PlannerFold;
  readonly builder: BuilderFold;
  readonly human: HumanFold;
  readonly policy: Policy;
}

/**
 * Returns the step of the first row that applies in the planner's table
 * (docs/PROTOCOL.md, section 12).
 */
export function plannerStep(view: PlannerView): PlannerStep {
  return roleGate(view.own, view) ?? answer(view);
}

function answer(view: PlannerView): PlannerStep {
  const { own, builder, human } = view;
  const last = own.answers.at(-1);
  const undecided = own.answers.some(
    ({ seq, staged }) => staged !== undefined && seq > builder.adjudicated,
  );
  // A plan made before a pending edit is in force would be refused.
  if (undecided || pendingEdit(human, builder) !== undefined) {
    return waitFor({ kind: "plan-undecided" });
  }
  // Never act on fewer milestones than the planner's own log records as seen (R12).
  if (last !== undefined && builder.milestones.length < last.boundary) {
    return waitFor({ kind: "old-view" });
  }
  // Nor plan for a request that the builder knows to be outdated: it would be refused again (R41).
  if (human.updates < builder.requestSeen) return waitFor({ kind: "old-view" });
  const again = last?.gaveUpAtReopens !== undefined && last.gaveUpAtReopens < builder.reopens;
  const isPlanned = builder.planSha !== undefined;
  if (!isPlanned) {
    const isOwed = last === undefined || again || last.request < human.updates;
    return isOwed ? plan(view, "first", again) : waitFor({ kind: "idle" });
  }
  if (human.updates > builder.planRequest) return update(view, last, again);
  // If the first plan came from a person, there may be no answer yet.
  const isOwed = builder.milestones.length > (last?.boundary ?? -1) || again;
  return isOwed ? plan(view, boundaryAnswer(view, again), again) : waitFor({ kind: "idle" });
}

/**
 * Plans again if the request is newer than the plan in force, but never while a build or fix is
 * running.
 */
function update(view: PlannerView, last: PlanAnswer | undefined, again: boolean): PlannerStep {
  const { builder, human } = view;
  const gaveUpOnThis =
    last?.gaveUpAtReopens !== undefined &&
    last.request >= human.updates &&
    last.boundary >= builder.milestones.length &&
    !again;
  const mayPlan = MAY_REPLAN[builder.stage.kind];
  return mayPlan && !gaveUpOnThis ? plan(view, "replan", again) : waitFor({ kind: "idle" });
}

/** Whether the plan may change in each stage. */
const MAY_REPLAN: Readonly<Record<Phase, boolean>> = {
  plan: false,
  build: false,
  window: true,
  fix: false,
  final: true,
  halt: true,
  done: true,
};

/**
 * Decides whether the planner gets a turn at a boundary (`reconsider`) or keeps the plan without
 * one (`keep`).
 */
function boundaryAnswer({ builder, policy }: PlannerView, again: boolean): "reconsider" | "keep" {
  switch (policy.replan) {
    case "always":
      return "reconsider";
    case "never":
      return "keep";
    case "changed":
      return builder.stretch.spentBefore.length > 0 || again ? "reconsider" : "keep";
  }
}

function plan(
  { own, builder, human }: PlannerView,
  how: "first" | "replan" | "reconsider" | "keep",
  again: boolean,
): PlannerStep {
  const boundary = how === "first" ? 0 : builder.milestones.length;
  const request = human.updates;
  // The key of a unit that has ended is never used again. A unit that gave up may also be due again
  // after another unit was answered in between, based on an older view of human.log.
  const gaveUp = own.answers.some(
    (answer) =>
      answer.gaveUpAtReopens !== undefined &&
      answer.boundary === boundary &&
      answer.request === request,
  );
  const reopened = again || gaveUp ? builder.reopens : undefined;
  const unit = encodeUnit({
    kind: "plan",
    boundary,
    request,
    refusals: builder.refusals,
    reopens: reopened,
  });
  return { kind: "plan", unit, boundary, request, how, reopens: builder.reopens };
}
