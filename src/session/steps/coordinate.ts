import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import { endOf } from "../state/end-in-force.ts";
import type { SessionState } from "../state/session-state.ts";
import { builderStep } from "./builder-step.ts";
import { drainEndsMs } from "./drain-window.ts";
import { plannerStep } from "./planner-step.ts";
import { reviewerStep } from "./reviewer-step.ts";
import { seeHuman, seeJudge, seePlanner, seeSupervisor } from "./seen.ts";
import {
  waitFor,
  type BuilderStep,
  type Exit,
  type PlannerStep,
  type ReviewerStep,
  type TesterStep,
  type TurnHold,
  type Wait,
} from "./step.ts";
import { testerStep } from "./tester-step.ts";
import { milestoneOf, takesTurn, turnHold } from "./turn-gate.ts";

/** The next step of each role. */
export interface StepOf {
  readonly planner: PlannerStep;
  readonly builder: BuilderStep;
  readonly reviewer: ReviewerStep;
  readonly tester: TesterStep;
}

/**
 * What a role may do next: pure, decided by every role for itself from the same files. Its own log
 * must be whole; of every other any prefix is safe to act on (coordination, sections 1 and 5).
 *
 * @param nowMs milliseconds since 1970; matters to the builder's drain window alone.
 */
export function coordinate<R extends Role>(role: R, state: SessionState, nowMs: number): StepOf[R] {
  const table: { readonly [K in Role]: () => StepOf[K] } = {
    planner: () => rewritten(state) ?? plannerStep({ ...state, own: state.planner }),
    builder: () => rewritten(state) ?? coordinateBuilder(state, nowMs),
    reviewer: () => rewritten(state) ?? reviewerStep({ ...state, own: state.reviewer }),
    tester: () => rewritten(state) ?? testerStep({ ...state, own: state.tester }),
  };
  return table[role]();
}

/**
 * The same, but no role takes a step for which it may have no turn: the slot stays empty until the
 * engine may be asked again, or a person gives more. Everything else goes on.
 */
export function coordinateTurns<R extends Role>(
  role: R,
  state: SessionState,
  nowMs: number,
): StepOf[R] | Wait {
  const step = coordinate(role, state, nowMs);
  const hold = holdOf(role, step, state, nowMs);
  if (hold === undefined) return step;
  return waitFor({ kind: "hold", hold }, hold.kind === "engine" ? hold.untilMs : undefined);
}

function holdOf(
  role: Role,
  step: StepOf[Role],
  state: SessionState,
  nowMs: number,
): TurnHold | undefined {
  const { turns, human } = state;
  if (turns === undefined || !takesTurn(step)) return undefined;
  return turnHold({ ...turns, human }, { role, milestone: milestoneOf(step, state) }, nowMs);
}

function coordinateBuilder(state: SessionState, nowMs: number): BuilderStep {
  const { builder: own, branch, policy, hasVerify = false, hasRemote = false } = state;
  const context = { own, branch, policy };
  return builderStep({
    own,
    planner: seePlanner(state.planner, own),
    reviewer: seeJudge("reviewer", state.reviewer, context),
    tester: seeJudge("tester", state.tester, context),
    human: seeHuman(state.human, own),
    failed: seeSupervisor(state.supervisor),
    branch,
    policy,
    hasVerify,
    hasRemote,
    drainEndsMs: (waiting) =>
      waiting.some((other) => isHeld(other, state, nowMs))
        ? undefined
        : drainEndsMs(state, waiting),
    nowMs,
  });
}

/** Whoever may have no turn cannot answer: its clock stands still. */
function isHeld(role: Role, state: SessionState, nowMs: number): boolean {
  if (role === "builder" || state.turns === undefined) return false;
  return holdOf(role, coordinate(role, state, nowMs), state, nowMs) !== undefined;
}

/**
 * A person rewrote or deleted the branch: wisp never forces, every slot is empty. After the end
 * the branch is the person's to delete.
 */
function rewritten(state: SessionState): Exit | undefined {
  const { branch, builder, reviewer, tester } = state;
  if (endOf(state) !== undefined) return undefined;
  const isThere = (oid: Oid | undefined) =>
    oid === undefined || oid === branch.base || branch.places.has(oid);
  const isWhole =
    branch.head !== undefined &&
    isThere(builder.ownEnd) &&
    isThere(reviewer.checkpoint) &&
    isThere(tester.finalAt);
  return isWhole ? undefined : { kind: "exit", reason: "branch-rewritten" };
}
