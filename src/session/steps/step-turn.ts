import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { attemptEngine, hintEngine } from "../rules/attempt-engine.ts";
import { currentMilestone } from "../rules/build-order.ts";
import type { SessionState } from "../state/session-state.ts";
import type { BuilderStep, PlannerStep, ReviewerStep, StepTurn, TesterStep } from "./step.ts";

/** The facts that decide to which milestone a turn counts, and what it asks for. */
type Underway = Pick<SessionState, "builder" | "policy" | "turns">;

/** A turn that counts only toward the session. */
const OF_SESSION: StepTurn = { milestone: undefined };

/** Returns the turn that a step of the planner needs; undefined if it needs none. */
export function turnOfPlanner(step: PlannerStep): StepTurn | undefined {
  switch (step.kind) {
    case "plan":
      return step.how === "keep" ? undefined : OF_SESSION;
    case "wait":
    case "exit":
    case "recover":
      return undefined;
  }
}

/** Returns the turn that a step of the builder needs; undefined if it needs none. */
export function turnOfBuilder(step: BuilderStep, state: Underway): StepTurn | undefined {
  switch (step.kind) {
    case "build":
      return {
        milestone: step.milestone.name,
        ...attemptEngine(state.turns?.attempts, step.stalled),
      };
    case "hint":
      return { milestone: step.milestone.name, ...hintEngine(state.turns?.attempts) };
    case "fix":
      return { milestone: milestoneUnderway(state) };
    case "wait":
    case "exit":
    case "recover":
    case "reopen":
    case "adopt":
    case "refuse":
    case "adopt-edit":
    case "refuse-edit":
    case "base":
    case "accept-base":
    case "remote":
    case "leave-remote":
    case "halt":
    case "close":
    case "final":
    case "done":
      return undefined;
  }
}

/** Returns the turn that a step of the reviewer or the tester needs; undefined if it needs none. */
export function turnOfJudge(
  step: ReviewerStep | TesterStep,
  state: Underway,
): StepTurn | undefined {
  switch (step.kind) {
    case "review-milestone":
    case "test":
      return { milestone: step.milestone.name };
    case "verify":
    case "review-commit":
      return { milestone: milestoneUnderway(state) };
    case "final-test":
      return OF_SESSION;
    case "wait":
    case "exit":
    case "recover":
    case "adopt-human":
      return undefined;
  }
}

/**
 * Returns the milestone that is being built, otherwise the one that ended last; undefined before
 * the first.
 */
export function milestoneUnderway({ builder, policy }: Underway): string | undefined {
  const open = decodeUnit(builder.open?.unit ?? "")?.kind;
  const isBuilding = builder.stage.kind === "build" || open === "build" || open === "hint";
  const current = isBuilding ? currentMilestone(builder, policy)?.name : undefined;
  return current ?? builder.milestones.at(-1)?.name;
}
