import { fail, ok, type Result } from "../../base/result.ts";
import { endOf } from "../state/end-in-force.ts";
import type { SessionState } from "../state/session-state.ts";

/**
 * The states of finished work (seed 001) and the transitions between them:
 *
 *     INITIAL_EXECUTION ──finish──► PENDING_REVIEW ──request-revision──► REVISION_REQUESTED
 *             ▲                      │ │ ▲ ▲  ▲                             │       │
 *             ├──────── reopen ──────┤ │ │ │  └────────── give-up ──────────┤     begin
 *             │                      │ │ │ │                                │       ▼
 *             │                reject│ │ │ └─────────── finish ──────── REVISION_IN_PROGRESS
 *             │                      ▼ │ │                                  ▲
 *             │               REJECTED │ └─change─┐                         │
 *             │                        └─approve─► APPROVED ────────────────┘
 *             └─────────────────── reopen ────────┘        request-revision, by REVISION_REQUESTED
 *
 * No state is stored: it is computed from the records of the session and its revisions, and every
 * event without a transition is refused. An approval counts for one commit: it lapses when the
 * branch changes.
 */
export const REVIEW_STATES = [
  "INITIAL_EXECUTION",
  "PENDING_REVIEW",
  "REVISION_REQUESTED",
  "REVISION_IN_PROGRESS",
  "APPROVED",
  "REJECTED",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Events of finished work: they happen by themselves or because a reviewing person asks. */
export const REVIEW_EVENTS = [
  "finish",
  "reopen",
  "request-revision",
  "begin",
  "give-up",
  "approve",
  "change",
  "reject",
] as const;
export type ReviewEvent = (typeof REVIEW_EVENTS)[number];

export interface ReviewTransition {
  readonly from: ReviewState;
  readonly by: ReviewEvent;
  readonly to: ReviewState;
}

/** All transitions. */
export const REVIEW_TRANSITIONS: readonly ReviewTransition[] = [
  { from: "INITIAL_EXECUTION", by: "finish", to: "PENDING_REVIEW" },
  { from: "PENDING_REVIEW", by: "reopen", to: "INITIAL_EXECUTION" },
  { from: "PENDING_REVIEW", by: "request-revision", to: "REVISION_REQUESTED" },
  { from: "PENDING_REVIEW", by: "approve", to: "APPROVED" },
  { from: "PENDING_REVIEW", by: "reject", to: "REJECTED" },
  { from: "REVISION_REQUESTED", by: "begin", to: "REVISION_IN_PROGRESS" },
  { from: "REVISION_REQUESTED", by: "give-up", to: "PENDING_REVIEW" },
  { from: "REVISION_IN_PROGRESS", by: "finish", to: "PENDING_REVIEW" },
  { from: "REVISION_IN_PROGRESS", by: "give-up", to: "PENDING_REVIEW" },
  { from: "APPROVED", by: "change", to: "PENDING_REVIEW" },
  { from: "APPROVED", by: "reopen", to: "INITIAL_EXECUTION" },
  { from: "APPROVED", by: "request-revision", to: "REVISION_REQUESTED" },
];

/** An event that the state of the finished work does not allow. */
export interface IllegalReview {
  readonly kind: "illegal-review";
  readonly from: ReviewState;
  readonly by: ReviewEvent;
  /** The events that are possible in that state. */
  readonly possible: readonly ReviewEvent[];
}

/** Returns the state after an event, or a failure that lists the possible events. */
export function reviewTransition(
  state: ReviewState,
  by: ReviewEvent,
): Result<ReviewState, IllegalReview> {
  const here = REVIEW_TRANSITIONS.filter(({ from }) => from === state);
  const found = here.find((one) => one.by === by);
  if (found !== undefined) return ok(found.to);
  return fail({ kind: "illegal-review", from: state, by, possible: here.map((one) => one.by) });
}

/**
 * Computes the state of a session's finished work.
 *
 * @param revisions the states of its revisions, in the order of their numbers
 */
export function reviewState(
  session: SessionState,
  revisions: readonly SessionState[],
): ReviewState {
  const { human, branch } = session;
  if (human.closed !== undefined && human.closed.how !== "done") return "REJECTED";
  const newest = revisions.at(-1);
  if (newest !== undefined && !isOver(newest)) {
    return hasBegun(newest) ? "REVISION_IN_PROGRESS" : "REVISION_REQUESTED";
  }
  if (human.closed !== undefined) return "APPROVED";
  if (!isComplete(session)) return "INITIAL_EXECUTION";
  return isApproved(session.human, branch.head) ? "APPROVED" : "PENDING_REVIEW";
}

/**
 * Whether a person has approved a commit. Older sessions recorded approvals without a commit: those
 * count for every commit.
 */
export function isApproved(
  { approved, approvedAt }: SessionState["human"],
  head: string | undefined,
): boolean {
  return approved && (approvedAt === undefined || approvedAt === head);
}

/** Whether a revision is over, so that another one may be requested. */
export function isOver(revision: SessionState): boolean {
  return revision.human.closed !== undefined || isComplete(revision);
}

function isComplete(state: SessionState): boolean {
  return endOf(state)?.how === "complete";
}

/**
 * Whether work on a session has begun: a supervisor was started for it, or at least its builder has
 * adopted or refused an edit of the plan.
 */
export function hasBegun({ builder, supervisor }: SessionState): boolean {
  return supervisor.hasStarted || supervisor.lastEnd !== undefined || builder.edited >= 0;
}
