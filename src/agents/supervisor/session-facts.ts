import { ROLES, type Role } from "../../base/role.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import type { TurnHold, Wait } from "../../session/steps/step.ts";
import { holdWords } from "./hold-words.ts";

/** What a supervisor needs to know of a session. */
export interface SessionFacts {
  /** Why no role has anything to do any more; `undefined` while there may be work. */
  readonly over: "complete" | "stuck" | "stopped" | undefined;
  /** A person rewrote or deleted the branch: every role that looks leaves. */
  readonly isRewritten: boolean;
  /** For what of a person everything waits: an answer, a login, more budget. */
  readonly asks: string | undefined;
  /** Roles given up, on record, and why. */
  readonly failed: ReadonlyMap<Role, string>;
  /** How often a person has asked that a role be started anew. */
  readonly restarts: ReadonlyMap<Role, number>;
  /** Whether a role has something to do now; asked only of those that may be started. */
  readonly hasWork: (role: Role) => boolean;
}

/** Before anything was read. */
export const NOTHING_KNOWN: SessionFacts = {
  over: undefined,
  isRewritten: false,
  asks: undefined,
  failed: new Map(),
  restarts: new Map(),
  hasWork: () => false,
};

/**
 * Digest of a session, by the predicates by which the roles decide too. What is appended to human.log
 * after the end counts only when it reopens: a longer human.log alone would start roles that leave
 * at once, for ever (coordination, R25).
 *
 * @param nowMs milliseconds since 1970
 */
export function sessionFacts(state: SessionState, nowMs: number): SessionFacts {
  const step = coordinateTurns("planner", state, nowMs);
  return {
    over: overOf(state),
    isRewritten: step.kind === "exit" && step.reason === "branch-rewritten",
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
 * What only a person can give, when nobody can do anything before: the answer to a question, or what ends
 * a hold that no time ends. Whoever works has an open unit, which seen from here is one to recover, and so
 * something to do.
 */
export function waitsForPerson(state: SessionState, nowMs: number): string | undefined {
  const waits = allWait(state, nowMs);
  if (waits === undefined || waits.some(({ untilMs }) => untilMs !== undefined)) return undefined;
  const { human } = state;
  const open = ROLES.flatMap((role) =>
    state[role].questions.filter(({ id }) => !human.answers.has(id)),
  )[0];
  const held = heldBy(waits);
  return open?.ask ?? (held && holdWords(held));
}

/** What keeps everybody from having a turn, for a time or until a person has seen to it. */
export function holdOnAll(state: SessionState, nowMs: number): TurnHold | undefined {
  return heldBy(allWait(state, nowMs) ?? []);
}

/** What each role waits for; undefined: somebody has something to do, or a person paused it. */
function allWait(state: SessionState, nowMs: number): readonly Wait[] | undefined {
  const { human, supervisor } = state;
  // Whoever paused is there to be asked.
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

function heldBy(waits: readonly Wait[]): TurnHold | undefined {
  return waits.flatMap(({ reason }) => (reason.kind === "hold" ? [reason.hold] : []))[0];
}
