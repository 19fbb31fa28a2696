import { ROLES, type Role } from "../../base/role.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import type { TurnHold, Wait } from "../../session/steps/step.ts";
import { holdWords } from "./hold-words.ts";

/** What a supervisor needs to know about a session. */
export interface SessionFacts {
  /** Why no role has any work left; undefined while there may be work. */
  readonly over: "complete" | "stuck" | "stopped" | undefined;
  /** A person rewrote or deleted the branch: every role ends when it notices. */
  readonly isRewritten: boolean;
  /** The damage that only a person can repair, and the command for it; undefined if the session can be read. */
  readonly damage: string | undefined;
  /** What everything waits for a person to give: an answer, a login, more budget. */
  readonly asks: string | undefined;
  /** The roles that are recorded as given up, with the reason. */
  readonly failed: ReadonlyMap<Role, string>;
  /** How often a person has requested a restart of each role. */
  readonly restarts: ReadonlyMap<Role, number>;
  /** Whether a role has work now; computed only for roles that may be started. */
  readonly hasWork: (role: Role) => boolean;
}

/** The facts before anything was read. */
export const NO_FACTS: SessionFacts = {
  over: undefined,
  isRewritten: false,
  damage: undefined,
  asks: undefined,
  failed: new Map(),
  restarts: new Map(),
  hasWork: () => false,
};

/**
 * Derives the facts from the state, with the functions that the roles themselves decide by. Records appended to
 * human.log after the end count only if they reopen the session: starting roles for every such record would start
 * processes that end at once, for ever (docs/PROTOCOL.md, "What reopens").
 *
 * @param nowMs milliseconds since 1970
 */
export function sessionFacts(state: SessionState, nowMs: number): SessionFacts {
  const step = coordinateTurns("planner", state, nowMs);
  return {
    over: overOf(state),
    isRewritten: step.kind === "exit" && step.reason === "branch-rewritten",
    damage: undefined,
    asks: waitsForPerson(state, nowMs),
    failed: state.supervisor.failed,
    restarts: state.human.restarts,
    hasWork: (role) => coordinateTurns(role, state, nowMs).kind !== "wait",
  };
}

function overOf(state: SessionState): SessionFacts["over"] {
  return endOf(state)?.how ?? (state.human.stopped ? "stopped" : undefined);
}

/**
 * What only a person can give and all roles wait for: the answer to a question, or what ends a hold that does not end
 * by itself. Undefined if a role can do something: a running role has an open unit, which `coordinate` here reports as
 * a unit to recover, and so as work.
 */
export function waitsForPerson(state: SessionState, nowMs: number): string | undefined {
  const waits = allWait(state, nowMs);
  if (waits === undefined || waits.some(({ untilMs }) => untilMs !== undefined)) return undefined;
  const { human } = state;
  const open = ROLES.flatMap((role) =>
    state[role].questions.filter((one) => isUnanswered(one, human)),
  )[0];
  const held = heldBy(waits);
  return open?.ask ?? (awaitsApproval(waits) ? APPROVAL_WORDS : held && holdWords(held, nowMs));
}

/** The hold that keeps all roles from having a turn, for a time or until a person ends it. */
export function holdOnAll(state: SessionState, nowMs: number): TurnHold | undefined {
  return heldBy(allWait(state, nowMs) ?? []);
}

/** What each role waits for; undefined if a role has work, or a person paused the session. */
function allWait(state: SessionState, nowMs: number): readonly Wait[] | undefined {
  const { human, supervisor } = state;
  // A person who paused the session knows that it waits for them.
  if (human.paused) return undefined;
  const waits: Wait[] = [];
  for (const role of ROLES) {
    if (supervisor.failed.has(role)) continue;
    const step = coordinateTurns(role, state, nowMs);
    if (step.kind !== "wait") return undefined;
    waits.push(step);
  }
  return waits;
}

/** Whether what everything waits for is a person's approval of the plan. */
export function isPlanWaiting(state: SessionState, nowMs: number): boolean {
  return awaitsApproval(allWait(state, nowMs) ?? []);
}

function awaitsApproval(waits: readonly Wait[]): boolean {
  return waits.some(({ reason }) => reason.kind === "approval");
}

const APPROVAL_WORDS = "the plan is waiting for your approval";

function heldBy(waits: readonly Wait[]): TurnHold | undefined {
  return waits.flatMap(({ reason }) => (reason.kind === "hold" ? [reason.hold] : []))[0];
}
