import { waitsForPerson } from "../agents/supervisor/session-facts.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES } from "../base/role.ts";
import {
  transition,
  WISP_STATES,
  type SessionEvent,
  type WispState,
} from "../fs-protocol/session-machine.ts";
import { isApproved } from "../fs-protocol/review-machine.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import { sessionClosed, type SessionClosed } from "./append-human.ts";
import { isRewritten } from "./branch-rewritten.ts";
import type { IllegalCommand } from "./failures.ts";
import { endOf } from "./session-end.ts";

const CLOSED = { done: "taken", abandoned: "abandoned", rejected: "rejected" } as const;

/** Where a session stands, computed from its records. */
export function wispState(state: SessionState, nowMs: number): WispState {
  const { human, builder, supervisor } = state;
  if (human.closed !== undefined) return CLOSED[human.closed.how];
  const end = endOf(state);
  if (end?.how === "complete") {
    return isApproved(human, state.branch.head) ? "approved" : "complete";
  }
  if (end !== undefined) return "stuck";
  if (human.stopped) return "stopped";
  if (isRewritten(state) || supervisor.failed.has("builder")) return "failed";
  if (human.paused) return "paused";
  if (waitsForPerson(state, nowMs) !== undefined) return hasQuestion(state) ? "asks" : "held";
  return builder.phase === "plan" ? planning(state) : PHASES[builder.phase];
}

/** Nobody has written anything yet: it was only made. */
function planning({ planner, builder, supervisor }: SessionState): WispState {
  const isUntouched =
    planner.answers.length === 0 &&
    planner.open === undefined &&
    builder.verified.size === 0 &&
    supervisor.lastEnd === undefined &&
    !supervisor.hasStarted;
  return isUntouched ? "new" : "planning";
}

const PHASES = {
  build: "building",
  window: "window",
  fix: "fixing",
  final: "final",
  halt: "halted",
  // Reopened, and nobody has read it yet.
  done: "building",
} as const;

function hasQuestion(state: SessionState): boolean {
  return ROLES.some((role) => state[role].questions.some(({ id }) => !state.human.answers.has(id)));
}

/** Why a session does not take a command as it stands. */
export type Refused = IllegalCommand | SessionClosed;

/** Whether a command may be given to a session as it stands; else why not. */
export function allow(
  by: SessionEvent,
  {
    id,
    state,
    nowMs,
  }: { readonly id: string; readonly state: SessionState; readonly nowMs: number },
): Result<void, Refused> {
  const now = wispState(state, nowMs);
  const next = transition(WISP_STATES[now].name, by);
  if (next.ok) return ok(undefined);
  const { closed } = state.human;
  if (closed !== undefined) return fail(sessionClosed(id, closed));
  return fail({ ...next.failure, session: id, state: now });
}
