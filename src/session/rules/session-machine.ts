import { fail, ok, type Result } from "../../base/result.ts";

/**
 * The states of a session as people name them, and the transitions between them:
 *
 *     START ──up──► RUNNING ◄──────── answer ───────── NEEDS_INPUT
 *       │            │ ▲ │ └────────── ask ───────────────►┘
 *       │            │ │ ├─ get-stuck ─► BLOCKED ─ resume, up, answer ─► RUNNING
 *       │            │ │ ├─ stop, interrupt ─► STOPPED ─ resume, up ─► RUNNING
 *       │            │ └─┼─ reopen ◄─┐
 *       │            │   └─ finish ─► DONE ── hand-in ──► PR_PUSHED ─┐
 *       │            │                 └────────── tear-down ────────┤ tear-down
 *       └─ abandon ──┴──── (from any of them) ────► TEARDOWN ◄───────┘
 *
 * No state is stored: it is computed from the records (`WISP_STATES`), and a command is refused if
 * it asks for an event that has no transition from the current state.
 */
export const SESSION_STATES = [
  "START",
  "RUNNING",
  "NEEDS_INPUT",
  "BLOCKED",
  "STOPPED",
  "DONE",
  "PR_PUSHED",
  "TEARDOWN",
] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** The events of a session: they happen by themselves or because a person asks. */
export const SESSION_EVENTS = [
  "up",
  "ask",
  "get-stuck",
  "finish",
  "reopen",
  "resume",
  "answer",
  "update",
  "stop",
  // Its processes ended without a request to stop.
  "interrupt",
  "restart",
  "attach",
  // A person adds or dismisses a finding.
  "judge",
  "hand-in",
  "abandon",
  "tear-down",
] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

export interface Transition {
  readonly from: SessionStateName;
  readonly by: SessionEvent;
  readonly to: SessionStateName;
}

function from(
  state: SessionStateName,
  to: Partial<Readonly<Record<SessionEvent, SessionStateName>>>,
): readonly Transition[] {
  return SESSION_EVENTS.flatMap((by) => {
    const next = to[by];
    return next === undefined ? [] : [{ from: state, by, to: next }];
  });
}

/** All transitions. */
export const TRANSITIONS: readonly Transition[] = [
  ...from("START", {
    up: "RUNNING",
    resume: "RUNNING",
    update: "START",
    restart: "START",
    stop: "STOPPED",
    attach: "START",
    judge: "START",
    abandon: "TEARDOWN",
  }),
  ...from("RUNNING", {
    up: "RUNNING",
    resume: "RUNNING",
    restart: "RUNNING",
    // Answers the question of one role while the others continue.
    answer: "RUNNING",
    update: "RUNNING",
    ask: "NEEDS_INPUT",
    "get-stuck": "BLOCKED",
    finish: "DONE",
    stop: "STOPPED",
    interrupt: "STOPPED",
    attach: "RUNNING",
    judge: "RUNNING",
    abandon: "TEARDOWN",
  }),
  ...from("NEEDS_INPUT", {
    answer: "RUNNING",
    update: "RUNNING",
    up: "NEEDS_INPUT",
    resume: "NEEDS_INPUT",
    restart: "NEEDS_INPUT",
    stop: "STOPPED",
    attach: "NEEDS_INPUT",
    judge: "NEEDS_INPUT",
    abandon: "TEARDOWN",
  }),
  ...from("BLOCKED", {
    answer: "RUNNING",
    update: "RUNNING",
    up: "RUNNING",
    resume: "RUNNING",
    restart: "RUNNING",
    reopen: "RUNNING",
    stop: "STOPPED",
    attach: "BLOCKED",
    judge: "RUNNING",
    abandon: "TEARDOWN",
  }),
  ...from("STOPPED", {
    up: "RUNNING",
    resume: "RUNNING",
    answer: "STOPPED",
    update: "STOPPED",
    stop: "STOPPED",
    attach: "STOPPED",
    judge: "STOPPED",
    abandon: "TEARDOWN",
  }),
  ...from("DONE", {
    up: "DONE",
    // Allowed if commits were added to the branch since the end.
    resume: "RUNNING",
    reopen: "RUNNING",
    update: "RUNNING",
    "hand-in": "PR_PUSHED",
    attach: "DONE",
    judge: "RUNNING",
    abandon: "TEARDOWN",
    // The work was shipped without a push.
    "tear-down": "TEARDOWN",
  }),
  ...from("PR_PUSHED", { "tear-down": "TEARDOWN" }),
];

/** An event that a command asked for and the session's state does not allow. */
export interface IllegalTransition {
  readonly kind: "illegal-transition";
  readonly from: SessionStateName;
  readonly by: SessionEvent;
  /** The events that are possible in that state. */
  readonly possible: readonly SessionEvent[];
}

/** Returns the state after an event, or a failure that lists the possible events. */
export function transition(
  state: SessionStateName,
  by: SessionEvent,
): Result<SessionStateName, IllegalTransition> {
  const here = TRANSITIONS.filter((one) => one.from === state);
  const found = here.find((one) => one.by === by);
  if (found !== undefined) return ok(found.to);
  const possible = here.map((one) => one.by);
  return fail({ kind: "illegal-transition", from: state, by, possible });
}

/**
 * The states that wisp computes from the records and the running processes. `name` is the state
 * that people know, `word` is used in lists and headings, `meaning` explains the state in a sentence,
 * and `also` lists what other tools call it.
 */
export const WISP_STATES = {
  new: { name: "START", word: "not started", meaning: "it was created but never run", also: [] },
  planning: {
    name: "RUNNING",
    word: "planning",
    meaning: "the first plan is being made",
    also: [],
  },
  building: { name: "RUNNING", word: "building", meaning: "a milestone is being built", also: [] },
  window: {
    name: "RUNNING",
    word: "reviewing and testing",
    meaning: "a milestone is being reviewed and tested",
    also: [],
  },
  fixing: { name: "RUNNING", word: "fixing", meaning: "findings are being fixed", also: [] },
  final: {
    name: "RUNNING",
    word: "final pass",
    meaning: "the whole work is being tested",
    also: [],
  },
  halted: {
    name: "RUNNING",
    word: "halted",
    meaning: "the builder cannot continue; the others finish",
    also: [],
  },
  paused: { name: "RUNNING", word: "paused", meaning: "a person paused it", also: ["PAUSED"] },
  resuming: {
    name: "RUNNING",
    word: "resuming",
    meaning: "a person asked for more after its end, and the builder is about to start on it",
    also: [],
  },
  asks: {
    name: "NEEDS_INPUT",
    word: "waiting for your answer",
    meaning: "everything is waiting for an answer",
    also: [],
  },
  approval: {
    name: "NEEDS_INPUT",
    word: "the plan waits for your approval",
    meaning: "nothing is built before you approve, edit or reject the plan",
    also: [],
  },
  "checked-out": {
    name: "NEEDS_INPUT",
    word: "the branch is checked out",
    meaning: "nothing can be published before another branch is checked out there",
    also: [],
  },
  blocked: {
    name: "BLOCKED",
    word: "an engine cannot continue",
    meaning: "an engine says why it cannot continue, and everything is waiting for you",
    also: [],
  },
  held: {
    name: "BLOCKED",
    word: "on hold",
    meaning: "everything is waiting for a login, a limit or a budget",
    also: [],
  },
  failed: {
    name: "BLOCKED",
    word: "failed",
    meaning: "the builder failed, or the branch was rewritten",
    also: [],
  },
  stuck: {
    name: "BLOCKED",
    word: "stuck",
    meaning: "it ended, and a person has to look at it",
    also: ["STUCK"],
  },
  stopped: { name: "STOPPED", word: "stopped", meaning: "a person stopped it", also: [] },
  interrupted: {
    name: "STOPPED",
    word: "interrupted",
    meaning: "there is work left, and nothing is running",
    also: [],
  },
  reopened: {
    name: "STOPPED",
    word: "reopened",
    meaning: "a person asked for more after its end, and no role has started on it",
    also: [],
  },
  complete: {
    name: "DONE",
    word: "complete",
    meaning: "everything is in order",
    also: ["PENDING_REVIEW"],
  },
  approved: { name: "DONE", word: "approved", meaning: "a person accepted it", also: ["APPROVED"] },
  pushed: {
    name: "PR_PUSHED",
    word: "pushed",
    meaning: "its work was shipped and pushed, but its clones still exist",
    also: [],
  },
  taken: {
    name: "TEARDOWN",
    word: "shipped",
    meaning: "its work was shipped, and its clones are gone",
    also: [],
  },
  rejected: {
    name: "TEARDOWN",
    word: "rejected",
    meaning: "its work was rejected",
    also: ["REJECTED"],
  },
  abandoned: { name: "TEARDOWN", word: "abandoned", meaning: "it was abandoned", also: [] },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly name: SessionStateName;
      readonly word: string;
      readonly meaning: string;
      readonly also: readonly string[];
    }
  >
>;
export type WispState = keyof typeof WISP_STATES;
