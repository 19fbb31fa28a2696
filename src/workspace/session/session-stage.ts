import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { holdOnAll, waitsForPerson } from "../../agents/supervisor/session-facts.ts";
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
import { endOf } from "../../session/state/end-in-force.ts";

/** Commands by what they ask for; what else happens has none. */
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

/** Of finished work: what else leads on. What has it run again does nothing there. */
const OF_DONE = (session: string) =>
  ["review", "revise", "done", "abandon"].map((command) => `wisp ${command} ${session}`);

/** What there would have to be; else what the event is called. */
const MISSED: Partial<Readonly<Record<SessionEvent, string>>> = {
  "hand-in": "take",
  abandon: "give up",
  attach: "attach to",
  judge: "find",
};

interface NotAllowed extends Omit<IllegalTransition, "kind"> {
  readonly session: string;
  readonly state: WispState;
}

/** A command asked a session for what its state does not allow. */
export const IllegalCommand = refusal(
  "illegal-transition",
  EXIT.failure,
  ({ session, state, from, by, possible }: NotAllowed) => {
    const commands =
      from === "DONE"
        ? OF_DONE(session)
        : possible.flatMap((event) => COMMANDS[event]?.(session) ?? []);
    return [
      `${session} is ${state} (${from}): ${WISP_STATES[state].says}. There is nothing to ${MISSED[by] ?? by}.`,
      commands.length === 0 ? undefined : "What can be done with it:",
      ...commands,
    ];
  },
);

const CLOSED = { done: "taken", abandoned: "abandoned", rejected: "rejected" } as const;

/** What says where a session stands: its records, and who is at work on it. */
export interface StageFacts {
  readonly state: SessionState;
  /** Whose leases a living process holds. */
  readonly alive: ReadonlySet<Role | "supervisor">;
  /** Whether its roles have clones; absent: it was not looked. */
  readonly hasClones?: boolean | undefined;
  readonly nowMs: number;
}

/**
 * Where a session stands: what every view of it shows. Its records alone do not say whether anybody is at
 * work, and whether its clones are gone.
 */
export function sessionStage(facts: StageFacts): WispState {
  const { state, alive, hasClones, nowMs } = facts;
  const stage = wispState(isFinishing(facts) ? unstopped(state) : state, nowMs);
  const { closed } = state.human;
  if (closed?.how === "done" && closed.remote !== undefined && hasClones === true) return "pushed";
  if (alive.size > 0) return stage;
  const isToRun = WISP_STATES[stage].name === "RUNNING";
  // What time alone ends is waited for by somebody, or by nobody.
  const isToWait = stage === "held" && waitsForPerson(state, nowMs) === undefined;
  if (!isToRun && !isToWait) return stage;
  return isReopened(state) ? "reopened" : "interrupted";
}

/** A stop waits for turns that are under way: nobody is to take it for stopped before. */
function isFinishing(facts: StageFacts): boolean {
  const { human } = facts.state;
  return human.stopped && human.closed === undefined && rolesFinishing(facts).length > 0;
}

function unstopped(state: SessionState): SessionState {
  return { ...state, human: { ...state.human, stopped: false } };
}

/** Where a session stands by its records alone: what may be asked of it, whoever is there. */
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
  if (waitsForPerson(state, nowMs) !== undefined) return waitingFor(state);
  if (holdOnAll(state, nowMs) !== undefined) return "held";
  return phaseStage(state);
}

function phaseStage(state: SessionState): WispState {
  const { builder, policy } = state;
  switch (builder.stage.kind) {
    case "plan":
      return planning(state);
    case "build":
      // Between the last window and the final pass nothing is left to be built.
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

/** A question before what an engine cannot get past, and that before a hold. */
function waitingFor(state: SessionState): "asks" | "blocked" | "held" {
  const open = ROLES.flatMap((role) =>
    state[role].questions.filter(({ id }) => !state.human.answers.has(id)),
  );
  if (open.some(({ isBlocked = false }) => !isBlocked)) return "asks";
  return open.length > 0 ? "blocked" : "held";
}

/** Why a session does not take a command as it stands. */
export type Refused = ReturnType<typeof IllegalCommand> | SessionClosed;

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
  const { from, possible } = next.failure;
  return fail(IllegalCommand({ session: id, state: now, from, by, possible }));
}
