import { fail, ok, type Result } from "../../base/result.ts";

/**
 * The states of a session as people name them, and what leads from one to the next:
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
 * Nothing is stored of it: a state is computed from the records (`WISP_STATES`), and a command that asks
 * for what no line leads to is refused.
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

/** What happens to a session: by itself, or because a person says so. */
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
  // Its processes ended, and nobody asked for it.
  "interrupt",
  "restart",
  "attach",
  // Adds a finding, or dismisses one.
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

/** Every transition there is. */
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
    // Of one role, while others go on.
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
    // Where commits were made on its branch since.
    resume: "RUNNING",
    reopen: "RUNNING",
    update: "RUNNING",
    "hand-in": "PR_PUSHED",
    attach: "DONE",
    judge: "RUNNING",
    abandon: "TEARDOWN",
    // Taken without a push.
    "tear-down": "TEARDOWN",
  }),
  ...from("PR_PUSHED", { "tear-down": "TEARDOWN" }),
];

/** A command asked for what the session's state does not allow. */
export interface IllegalTransition {
  readonly kind: "illegal-transition";
  readonly from: SessionStateName;
  readonly by: SessionEvent;
  /** What is possible there. */
  readonly possible: readonly SessionEvent[];
}

/** The state after an event, or what is possible instead. */
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
 * What wisp computes from the records and from who is alive, the name that people know it by, and the word
 * that says it in lists and headings. `also`: what other tools call the same.
 */
export const WISP_STATES = {
  new: { name: "START", word: "not started", says: "made, and never run", also: [] },
  planning: { name: "RUNNING", word: "planning", says: "the first plan is being made", also: [] },
  building: { name: "RUNNING", word: "building", says: "a milestone is being built", also: [] },
  window: {
    name: "RUNNING",
    word: "reviewing and testing",
    says: "a milestone is reviewed and tested",
    also: [],
  },
  fixing: { name: "RUNNING", word: "fixing", says: "findings are being fixed", also: [] },
  final: { name: "RUNNING", word: "final pass", says: "the whole is tested", also: [] },
  halted: {
    name: "RUNNING",
    word: "halted",
    says: "the builder cannot continue; the others finish",
    also: [],
  },
  paused: { name: "RUNNING", word: "paused", says: "a person paused it", also: ["PAUSED"] },
  resuming: {
    name: "RUNNING",
    word: "going on",
    says: "a person asked for more after its end, and the builder is about to take it up",
    also: [],
  },
  asks: {
    name: "NEEDS_INPUT",
    word: "waits for your answer",
    says: "everything waits for an answer",
    also: [],
  },
  blocked: {
    name: "BLOCKED",
    word: "an engine cannot continue",
    says: "an engine says why it cannot continue, and everything waits for you",
    also: [],
  },
  held: {
    name: "BLOCKED",
    word: "held up",
    says: "everything waits for a login, a limit or a budget",
    also: [],
  },
  failed: {
    name: "BLOCKED",
    word: "failed",
    says: "the builder failed, or the branch was rewritten",
    also: [],
  },
  stuck: {
    name: "BLOCKED",
    word: "stuck",
    says: "it ended, and a person has to look",
    also: ["STUCK"],
  },
  stopped: { name: "STOPPED", word: "stopped", says: "a person stopped it", also: [] },
  interrupted: {
    name: "STOPPED",
    word: "interrupted",
    says: "there is work left, and nobody works on it",
    also: [],
  },
  reopened: {
    name: "STOPPED",
    word: "reopened",
    says: "a person asked for more after its end, and nobody has taken it up",
    also: [],
  },
  complete: {
    name: "DONE",
    word: "complete",
    says: "everything is in order",
    also: ["PENDING_REVIEW"],
  },
  approved: { name: "DONE", word: "approved", says: "a person accepted it", also: ["APPROVED"] },
  pushed: {
    name: "PR_PUSHED",
    word: "pushed",
    says: "its work was taken and pushed, its clones are still there",
    also: [],
  },
  taken: {
    name: "TEARDOWN",
    word: "taken",
    says: "its work was taken, its clones are gone",
    also: [],
  },
  rejected: {
    name: "TEARDOWN",
    word: "rejected",
    says: "its work was refused",
    also: ["REJECTED"],
  },
  abandoned: { name: "TEARDOWN", word: "given up", says: "it was given up", also: [] },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly name: SessionStateName;
      readonly word: string;
      readonly says: string;
      readonly also: readonly string[];
    }
  >
>;
export type WispState = keyof typeof WISP_STATES;
