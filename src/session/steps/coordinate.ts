import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import { endOf } from "../state/end-in-force.ts";
import type { SessionState } from "../state/session-state.ts";
import { builderStep } from "./builder-step.ts";
import { drainEndsMs } from "./drain-window.ts";
import { plannerStep } from "./planner-step.ts";
import { reviewerStep } from "./reviewer-step.ts";
import {
  summarizeHuman,
  summarizeJudge,
  summarizePlanner,
  summarizeSupervisor,
} from "./log-summaries.ts";
import {
  waitFor,
  type BuilderStep,
  type Exit,
  type PlannerStep,
  type ReviewerStep,
  type StepTurn,
  type TesterStep,
  type TurnHold,
  type Wait,
} from "./step.ts";
import { testerStep } from "./tester-step.ts";
import { turnOfBuilder, turnOfJudge, turnOfPlanner } from "./step-turn.ts";
import { turnHold } from "./turn-gate.ts";

/** The next step of each role. */
export interface StepOf {
  readonly planner: PlannerStep;
  readonly builder: BuilderStep;
  readonly reviewer: ReviewerStep;
  readonly tester: TesterStep;
}

/** The functions by which one role decides. */
interface RoleRules<Step> {
  /** Returns its next step; called only if the branch was not rewritten. */
  readonly step: (state: SessionState, nowMs: number) => Step;
  /** Returns the turn that a step needs; undefined if it needs none. */
  readonly turn: (step: Step, state: SessionState) => StepTurn | undefined;
}

const RULES: { readonly [R in Role]: RoleRules<StepOf[R]> } = {
  planner: {
    step: (state) => plannerStep({ ...state, own: state.planner }),
    turn: turnOfPlanner,
  },
  builder: { step: coordinateBuilder, turn: turnOfBuilder },
  reviewer: {
    step: (state) => reviewerStep({ ...state, own: state.reviewer }),
    turn: turnOfJudge,
  },
  tester: {
    step: (state) => testerStep({ ...state, own: state.tester }),
    turn: turnOfJudge,
  },
};

/**
 * Decides the next step of a role. Pure: every role calls it for itself, on the same files. A
 * role's own log must be read to its end; acting on any prefix of the other logs is safe
 * (docs/PROTOCOL.md, section 12).
 *
 * @param nowMs milliseconds since 1970; only the builder's drain window depends on it
 */
export function coordinate<R extends Role>(
  role: R,
  state: SessionState,
  nowMs: number,
): StepOf[R] | Exit {
  return rewritten(state) ?? RULES[role].step(state, nowMs);
}

/**
 * Like `coordinate`, but returns a wait if the next step needs a turn that the role may not have.
 * The role waits until the engine is available again or a person lifts the hold or raises the
 * budget. Steps without a turn are not affected.
 */
export function coordinateTurns<R extends Role>(
  role: R,
  state: SessionState,
  nowMs: number,
): StepOf[R] | Exit | Wait {
  const exit = rewritten(state);
  if (exit !== undefined) return exit;
  const rules: RoleRules<StepOf[R]> = RULES[role];
  const step = rules.step(state, nowMs);
  const hold = holdOf(role, rules.turn(step, state), state, nowMs);
  if (hold === undefined) return step;
  return waitFor({ kind: "hold", hold }, hold.kind === "engine" ? hold.untilMs : undefined);
}

/** Returns why a role may not have the turn of its next step. */
function holdOf(
  role: Role,
  turn: StepTurn | undefined,
  { turns, human }: SessionState,
  nowMs: number,
): TurnHold | undefined {
  if (turns === undefined || turn === undefined) return undefined;
  return turnHold({ ...turns, human }, { role, ...turn }, nowMs);
}

function coordinateBuilder(state: SessionState, nowMs: number): BuilderStep {
  const { builder: own, branch, policy, hasVerify = false, hasRemote = false } = state;
  const context = { own, branch, policy };
  return builderStep({
    own,
    planner: summarizePlanner(state.planner, own),
    reviewer: summarizeJudge("reviewer", state.reviewer, context),
    tester: summarizeJudge("tester", state.tester, context),
    human: summarizeHuman(state.human, own),
    failed: summarizeSupervisor(state.supervisor),
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

/** A role that may have no turn cannot answer, so its drain clock is stopped. */
function isHeld(role: Role, state: SessionState, nowMs: number): boolean {
  if (role === "builder") return false;
  const step = coordinateTurns(role, state, nowMs);
  return step.kind === "wait" && step.reason.kind === "hold";
}

/**
 * Ends every role if a person rewrote or deleted the branch, since wisp never force-pushes. After
 * the session has ended, a person may delete the branch.
 */
function rewritten(state: SessionState): Exit | undefined {
  const { branch, builder, reviewer, tester } = state;
  if (endOf(state) !== undefined) return undefined;
  const isOnBranch = (oid: Oid | undefined) =>
    oid === undefined || oid === branch.base || branch.places.has(oid);
  const isWhole =
    branch.head !== undefined &&
    isOnBranch(builder.ownEnd) &&
    isOnBranch(reviewer.checkpoint) &&
    isOnBranch(tester.finalAt);
  return isWhole ? undefined : { kind: "exit", reason: "branch-rewritten" };
}
