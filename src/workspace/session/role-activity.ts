import { unreachable } from "../../base/assert.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { holdWords } from "../../agents/supervisor/hold-words.ts";
import type { OpenUnit, Question } from "../../session/state/open-unit.ts";
import { pendingEdit } from "../../session/rules/plan-edit.ts";
import type { LastTurn, TurnRefusals } from "../../session/state/role-turns.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import type { Exit, Wait } from "../../session/steps/step.ts";
import { describeUnit } from "./describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import type { StatusFacts } from "./status-facts.ts";
import { lastEndOf, haltOf } from "../../session/state/stage.ts";

/** What a role does, or why it does nothing. */
export interface RoleActivity {
  readonly role: Role;
  /** A living process holds its lease. */
  readonly isRunning: boolean;
  /** It runs, but nobody would start it again. */
  readonly isUnsupervised: boolean;
  /**
   * `works`: at `unit`. `interrupted`: `unit` was begun by a process that is gone. `waits`: `says` is
   * for what. `due`: it has work that it has not begun. `ended`: nothing is left to do. `failed`: it
   * keeps failing and is not started again.
   */
  readonly state: "works" | "interrupted" | "waits" | "due" | "ended" | "failed";
  readonly unit: string | undefined;
  /** The raw output of its turn, below `logs/turns/`. */
  readonly output: string | undefined;
  /** The rest of a sentence that begins with the role. */
  readonly says: string;
  /** Calls of tools that its engine was refused, in the turn under way, else in the last one. */
  readonly refused: RefusedCalls | undefined;
}

/** Refused calls, and what came of the turn; `going on`: it is under way. */
export type RefusedCalls = TurnRefusals & { readonly outcome: LastTurn["outcome"] | "going on" };

/** What one role is doing now. */
export function roleActivity(
  role: Role,
  facts: Pick<StatusFacts, "state" | "alive" | "nowMs" | "refusedNow">,
): RoleActivity {
  return { ...doing(role, facts), refused: refusedOf(role, facts) };
}

function refusedOf(
  role: Role,
  { state, refusedNow }: Pick<StatusFacts, "state" | "refusedNow">,
): RefusedCalls | undefined {
  const now = refusedNow?.get(role);
  if (now !== undefined) return { ...now, outcome: "going on" };
  const last = state.turns?.facts.lastOf(role);
  return last?.refusals && { ...last.refusals, outcome: last.outcome };
}

function doing(
  role: Role,
  { state, alive, nowMs }: Pick<StatusFacts, "state" | "alive" | "nowMs">,
): Omit<RoleActivity, "refused"> {
  const isRunning = alive.has(role);
  const isUnsupervised = isRunning && !alive.has("supervisor");
  const open = openUnitOf(state, role);
  const common = { role, isRunning, isUnsupervised, unit: open?.unit, output: open?.turn };
  const failure = state.supervisor.failed.get(role);
  if (failure !== undefined && !isRunning) {
    return { ...common, state: "failed", says: `failed for good: ${failure}` };
  }
  const step = coordinateTurns(role, state, nowMs);
  if (step.kind === "exit") {
    // What a role has begun it ends, whatever was decided meanwhile.
    return open !== undefined && isRunning
      ? { ...common, state: "works", says: finishingWords(step.reason, open) }
      : { ...common, state: "ended", says: exitWords(role, step.reason, state, isRunning) };
  }
  const isHeld = step.kind === "wait" && step.reason.kind === "hold";
  if (isHeld && !(isRunning && isInTurn(state, role)))
    return { ...common, state: "waits", says: waitWords(step, state, nowMs, isRunning) };
  if (open !== undefined) return { ...common, ...duringUnit(open, isRunning) };
  if (step.kind === "wait")
    return { ...common, state: "waits", says: waitWords(step, state, nowMs, isRunning) };
  return { ...common, state: "due", says: isRunning ? "is about to begin" : "has work to do" };
}

/** The unit that a role has begun and not ended. */
export function openUnitOf(state: SessionState, role: Role): OpenUnit<unknown> | undefined {
  if (role === "planner" || role === "builder") return state[role].open;
  return state[role].openUnit;
}

function isInTurn({ turns }: SessionState, role: Role): boolean {
  return (turns?.facts.runningOf(role).length ?? 0) > 0;
}

/** The roles in whose unit a living process is at work: it goes on to its end, also after a stop. */
export function rolesAtWork({
  state,
  alive,
}: Pick<StatusFacts, "state" | "alive">): readonly Role[] {
  return ROLES.filter((role) => {
    const open = openUnitOf(state, role);
    if (open === undefined || !alive.has(role)) return false;
    return open.waiting === undefined || isInTurn(state, role);
  });
}

/** Those of them that would take nothing more: a stop is in force, or the session is over. */
export function rolesFinishing(
  facts: Pick<StatusFacts, "state" | "alive" | "nowMs">,
): readonly Role[] {
  const { state, nowMs } = facts;
  return rolesAtWork(facts).filter((role) => coordinateTurns(role, state, nowMs).kind === "exit");
}

function duringUnit(
  open: OpenUnit<unknown>,
  isRunning: boolean,
): Pick<RoleActivity, "state" | "says"> {
  const what = describeUnit(open.unit);
  if (!isRunning) return { state: "interrupted", says: `was interrupted at ${what}` };
  if (open.waiting !== undefined) return { state: "waits", says: `${what}: ${open.waiting}` };
  const failures = open.failures === 0 ? "" : `, after ${String(open.failures)} failed attempts`;
  return { state: "works", says: `works at ${what}${failures}` };
}

function finishingWords(reason: Exit["reason"], { unit }: OpenUnit<unknown>): string {
  const turn = `finishing its turn at ${describeUnit(unit)}`;
  switch (reason) {
    case "stopped":
      return `stopping: ${turn}`;
    case "done":
      return `${turn}: the session has ended`;
    case "branch-rewritten":
      return `${turn}: the branch was rewritten or deleted`;
  }
}

function exitWords(
  role: Role,
  reason: Exit["reason"],
  state: SessionState,
  isRunning: boolean,
): string {
  const { revision, closed } = state.human;
  if (closed !== undefined) return CLOSED_WORDS[closed.how];
  switch (reason) {
    case "done":
      return endedWords(role, state);
    case "stopped":
      if (revision > 0) return `left it to revision ${String(revision)}`;
      return isRunning ? "stopping" : "stopped, as you asked";
    case "branch-rewritten":
      return "stopped: the branch was rewritten or deleted";
  }
}

const CLOSED_WORDS = {
  done: "finished",
  abandoned: "ended: the session is given up",
  rejected: "ended: its work is rejected",
} as const;

/** Only who did all there was to do has finished: at another end a role gave up, or its work came to nothing. */
function endedWords(role: Role, state: SessionState): string {
  const done = lastEndOf(state.builder);
  if (done?.how !== "stuck") return "finished";
  if (done.failed.includes(role)) return "ended: its process failed";
  return hasGivenUp(role, state) ? "gave up" : "ended: the session is stuck";
}

function hasGivenUp(role: Role, { builder, planner, reviewer, tester }: SessionState): boolean {
  switch (role) {
    case "planner":
      return planner.answers.at(-1)?.gaveUpAtReopens !== undefined;
    case "builder":
      return haltOf(builder) !== undefined && builder.plan.length > 0;
    case "reviewer":
      return reviewer.gaveUp.size > 0;
    case "tester":
      return tester.gaveUp.size > 0 || tester.finalGaveUp;
  }
}

/** Of a process that is gone nobody waits, and no time runs out. */
function waitWords(
  { reason, untilMs }: Wait,
  { human, builder }: Pick<SessionState, "human" | "builder">,
  nowMs: number,
  isRunning: boolean,
): string {
  switch (reason.kind) {
    case "idle":
      return "waits for work";
    case "paused":
      return "is paused";
    case "question":
      return questionWaitWords(reason.question);
    case "plan-undecided":
      return pendingEdit(human, builder) === undefined
        ? "waits for the builder to take its plan"
        : "waits for the builder to take your edit of TASKS.md";
    case "old-view":
      return "reads on in the files";
    case "plan":
      return "waits for the first plan";
    case "roles": {
      const left =
        untilMs === undefined || !isRunning
          ? ""
          : `, at most ${formatDuration(untilMs - nowMs)} more`;
      return `waits for the ${reason.roles.join(", the ")}${left}`;
    }
    case "hold":
      return `waits: ${holdWords(reason.hold)}`;
    default:
      return unreachable(reason);
  }
}

/** What an engine cannot get past is no question, though an answer has it go on. */
function questionWaitWords({ id, isBlocked }: Question): string {
  return isBlocked === true
    ? `cannot continue without you (${id})`
    : `waits for your answer to ${id}`;
}
