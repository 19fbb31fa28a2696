import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { holdOnAll, isPlanWaiting, waitsForPerson } from "../../agents/supervisor/session-facts.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES, type Role } from "../../base/role.ts";
import {
  transition,
  WISP_STATES,
  type IllegalTransition,
  type SessionEvent,
  type WispState,
} from "../../session/rules/session-machine.ts";
import { currentMilestone } from "../../session/rules/build-order.ts";
import { isApproved } from "../../session/rules/review-machine.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { sessionClosed, type SessionClosed } from "./append-human.ts";
import { isRewritten } from "../branch-rewritten.ts";
import { isReopened } from "../finished/reopened-words.ts";
import { rolesFinishing } from "./role-activity.ts";
import { heldBranch } from "../../session/steps/held-branch.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";

/** The commands that cause events; other events have no command. */
const COMMANDS: Partial<Readonly<Record<SessionEvent, (session: string) => string>>> = {
  up: (session) => `wisp up ${session}`,
  resume: (session) => `wisp resume ${session}`,
  answer: (session) => `wisp answer ${session}`,
  stop: (session) => `wisp stop ${session}`,
  restart: (session) => `wisp restart <role> ${session}`,
  update: (session) => `wisp update <request.md> --branch ${session}`,
  "hand-in": (session) => `wisp done ${session}`,
  abandon: (session) => `wisp abandon ${session}`,
};

/** Other useful commands for finished work, where commands that would run it again do nothing. */
const OF_DONE = (session: string) =>
  ["review", "revise", "done", "abandon"].map((command) => `wisp ${command} ${session}`);

/** The verbs of events that are not named like their command. */
const MISSED: Partial<Readonly<Record<SessionEvent, string>>> = {
  "hand-in": "ship",
  abandon: "abandon",
  attach: "attach to",
  judge: "find",
};

interface NotAllowed extends Omit<IllegalTransition, "kind"> {
  readonly session: string;
  readonly state: WispState;
}

/** A command asked for something that the session's state does not allow. */
export const IllegalCommand = refusal(
  "illegal-transition",
  EXIT.failure,
  ({ session, state, from, by, possible }: NotAllowed) => {
    const commands =
      from === "DONE"
        ? OF_DONE(session)
        : possible.flatMap((event) => COMMANDS[event]?.(session) ?? []);
    return [
      `${session} is ${state} (${from}): ${WISP_STATES[state].meaning}. There is nothing to ${MISSED[by] ?? by}.`,
      commands.length === 0 ? undefined : "What can be done with it:",
      ...commands,
    ];
  },
);

const CLOSED = { done: "taken", abandoned: "abandoned", rejected: "rejected" } as const;

/** What determines the state of a session: its records and its living processes. */
export interface StageFacts {
  readonly state: SessionState;
  /** The leases that living processes hold. */
  readonly alive: ReadonlySet<Role | "supervisor">;
  /** Whether its roles have clones; absent if that was not checked. */
  readonly hasClones?: boolean | undefined;
  readonly nowMs: number;
}

/**
 * The state of a session, as every view shows it. The records alone do not tell whether any process is running and
 * whether the clones are gone.
 */
export function sessionStage(facts: StageFacts): WispState {
  const { state, alive, hasClones, nowMs } = facts;
  const stage = wispState(isFinishing(facts) ? unstopped(state) : state, nowMs);
  const { closed } = state.human;
  if (closed?.how === "done" && closed.remote !== undefined && hasClones === true) return "pushed";
  if (alive.size > 0) return stage;
  const isToRun = WISP_STATES[stage].name === "RUNNING";
  // What ends by itself, or without wisp, still needs a running process that waits for it.
  const isOthers = stage === "held" && waitsForPerson(state, nowMs) === undefined;
  const isToWait = isOthers || stage === "checked-out";
  if (!isToRun && !isToWait) return stage;
  return isReopened(state) ? "reopened" : "interrupted";
}

/** A stop waits for running turns; until they end, the session must not show as stopped. */
function isFinishing(facts: StageFacts): boolean {
  const { human } = facts.state;
  return human.stopped && human.closed === undefined && rolesFinishing(facts).length > 0;
}

function unstopped(state: SessionState): SessionState {
  return { ...state, human: { ...state.human, stopped: false } };
}

/** The state according to the records alone, which decides what commands are allowed. */
export function wispState(state: SessionState, nowMs: number): WispState {
  const { human, supervisor } = state;
  if (human.closed !== undefined) return CLOSED[human.closed.how];
  const end = endOf(state);
  if (end?.how === "complete") {
    return isApproved(human, state.branch.head) ? "approved" : "complete";
  }
  if (end !== undefined) return "stuck";
  if (human.stopped) return "stopped";
  if (isRewritten(state) || supervisor.failed.has("builder")) return "failed";
  if (human.paused) return "paused";
  if (waitsForPerson(state, nowMs) !== undefined) return waitingFor(state, nowMs);
  if (holdOnAll(state, nowMs) !== undefined) return "held";
  return heldBranch(state) === undefined ? phaseStage(state) : "checked-out";
}

function phaseStage(state: SessionState): WispState {
  const { builder, policy } = state;
  switch (builder.stage.kind) {
    case "plan":
      return planning(state);
    case "build":
      // Between the last drain window and the final pass nothing is left to build.
      return currentMilestone(builder, policy) === undefined ? "final" : "building";
    case "window":
      return "window";
    case "fix":
      return "fixing";
    case "final":
      return "final";
    case "halt":
      return "halted";
    case "done":
      return "resuming";
  }
}

/** `new` while no log has a record; otherwise the first plan is being made. */
function planning({ planner, builder, supervisor }: SessionState): WispState {
  const isUntouched =
    planner.answers.length === 0 &&
    planner.questions.length === 0 &&
    planner.open === undefined &&
    builder.verified.size === 0 &&
    supervisor.lastEnd === undefined &&
    !supervisor.hasStarted;
  return isUntouched ? "new" : "planning";
}

/** A question takes precedence over a blocked engine, that over a plan, and that over a hold. */
function waitingFor(state: SessionState, nowMs: number): "asks" | "blocked" | "approval" | "held" {
  const open = ROLES.flatMap((role) =>
    state[role].questions.filter((one) => isUnanswered(one, state.human)),
  );
  if (open.some(({ isBlocked = false }) => !isBlocked)) return "asks";
  if (open.length > 0) return "blocked";
  return isPlanWaiting(state, nowMs) ? "approval" : "held";
}

/** Why a session does not accept a command in its current state. */
export type Refused = ReturnType<typeof IllegalCommand> | SessionClosed;

/** Whether a session accepts a command in its current state; if not, why. */
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
  const { from, possible } = next.failure;
  return fail(IllegalCommand({ session: id, state: now, from, by, possible }));
}
