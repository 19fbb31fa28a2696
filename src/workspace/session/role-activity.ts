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
import { formatTimeLeft } from "../../base/words/format-duration.ts";
import { hasGivenUp } from "./owed.ts";
import type { StatusFacts } from "./status-facts.ts";
import { lastEndOf } from "../../session/state/stage.ts";

/** What a role is doing, or why it does nothing. */
export interface RoleActivity {
  readonly role: Role;
  /** Whether a living process holds the role's lease. */
  readonly isRunning: boolean;
  /** Whether it runs without a supervisor that would restart it. */
  readonly isUnsupervised: boolean;
  /**
   * `works`: it works on `unit`. `interrupted`: the process that began `unit` is gone. `waits`: `says` tells for what.
   * `due`: it has work that it has not begun. `ended`: it has nothing left to do. `failed`: it keeps failing and is not
   * started again.
   */
  readonly state: "works" | "interrupted" | "waits" | "due" | "ended" | "failed";
  readonly unit: string | undefined;
  /** The raw output of its turn, in `logs/turns/`. */
  readonly output: string | undefined;
  /** The rest of a sentence whose subject is the role. */
  readonly says: string;
  /** The tool calls that its engine was refused in the running turn, or else in the last one. */
  readonly refused: RefusedCalls | undefined;
}

/** Refused calls and the outcome of the turn; `going on`: it is still running. */
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
    // A role finishes the unit that it has begun, whatever was decided in the meantime.
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

/** The unit that a role has begun but not ended. */
export function openUnitOf(state: SessionState, role: Role): OpenUnit<unknown> | undefined {
  const own = state[role];
  return "openUnit" in own ? own.openUnit : own.open;
}

function isInTurn({ turns }: SessionState, role: Role): boolean {
  return (turns?.facts.runningOf(role).length ?? 0) > 0;
}

/** The roles whose process is working on a unit. It finishes the unit even after a stop. */
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

/** The working roles that will start nothing more, because a stop is in force or the session is over. */
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
  return { state: "works", says: `is working on ${what}${failures}` };
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
      if (revision > 0) return `handed over to revision ${String(revision)}`;
      return isRunning ? "stopping" : "stopped, as you asked";
    case "branch-rewritten":
      return "stopped: the branch was rewritten or deleted";
  }
}

const CLOSED_WORDS = {
  done: "finished",
  abandoned: "ended: the session was abandoned",
  rejected: "ended: its work was rejected",
} as const;

/** A role has finished only if it did everything; otherwise it gave up, or the session got stuck. */
function endedWords(role: Role, state: SessionState): string {
  const done = lastEndOf(state.builder);
  if (done?.how !== "stuck") return "finished";
  if (done.failed.includes(role)) return "ended: its process failed";
  return hasGivenUp(role, state) ? "gave up" : "ended: the session is stuck";
}

/** What a role waits for. Without a running process there is no time limit to show. */
function waitWords(
  { reason, untilMs }: Wait,
  { human, builder }: Pick<SessionState, "human" | "builder">,
  nowMs: number,
  isRunning: boolean,
): string {
  switch (reason.kind) {
    case "idle":
      return "is waiting for work";
    case "paused":
      return "is paused";
    case "question":
      return questionWaitWords(reason.question);
    case "plan-undecided":
      return pendingEdit(human, builder) === undefined
        ? "is waiting for the builder to adopt its plan"
        : "is waiting for the builder to adopt your edit of TASKS.md";
    case "old-view":
      return "is reading new records";
    case "plan":
      return "is waiting for the first plan";
    case "approval":
      return "is waiting for your approval of the plan";
    case "roles": {
      const left =
        untilMs === undefined || !isRunning
          ? ""
          : `, at most ${formatTimeLeft(untilMs - nowMs)} more`;
      return `is waiting for the ${reason.roles.join(", the ")}${left}`;
    }
    case "hold":
      return `is waiting: ${holdWords(reason.hold, nowMs)}`;
    default:
      return unreachable(reason);
  }
}

/** A blocked engine asks no question, although an answer lets it continue. */
function questionWaitWords({ id, isBlocked }: Question): string {
  return isBlocked === true
    ? `cannot continue without you (${id})`
    : `is waiting for your answer to ${id}`;
}
