import { need } from "../../base/fatal.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { isAnyHeld } from "../../session/steps/turn-gate.ts";
import type { HumanEntry } from "../../workspace/session/append-human.ts";
import type { LaterCommits } from "../../workspace/finished/later-facts.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { allow } from "../../workspace/session/session-stage.ts";

/** Whether to start fixing what `--no-fix` left to people. */
export function startsFixing(
  { policy, human }: Pick<SessionState, "policy" | "human">,
  { fix }: { readonly fix: boolean },
): boolean {
  return fix && policy.noFix === true && !human.fixesAll;
}

/** What a person requests with `up` or `resume`. */
export interface ContinueRequest {
  readonly isResumed: boolean;
  /** From now on, fix what `--no-fix` leaves to people. */
  readonly fix: boolean;
  /** The unreviewed commits, if they were looked up. */
  readonly later: LaterCommits | undefined;
}

/**
 * Whether to append a `resume`. After the end, only a requested `resume` reopens the session, and
 * only if it is stuck or its branch has unreviewed commits.
 */
export function needsResume(
  state: SessionState,
  { stopped, paused }: Pick<HumanFold, "stopped" | "paused">,
  { isResumed, fix, later, nowMs }: ContinueRequest & { readonly nowMs: number },
): boolean {
  const done = endOf(state);
  const isHeld = isHeldUp(state, { isResumed, nowMs });
  const isLifted = stopped || isHeld || (isResumed && paused) || startsFixing(state, { fix });
  const isMeant = done === undefined ? isLifted : isResumed;
  return isMeant && (done?.how !== "complete" || (later?.count ?? 0) > 0);
}

/**
 * Checks that the session can be continued. Unreviewed commits are reviewed whatever was decided
 * about the work since.
 */
export function checkMayContinue(
  { isResumed, later }: ContinueRequest,
  at: Parameters<typeof allow>[1],
): void {
  if (isResumed && later?.by === at.id) return;
  need(allow(isResumed ? "resume" : "up", at));
}

/** The record that continues a session. */
export function resumeRecord(isFixing: boolean): HumanEntry {
  return isFixing ? { kind: "resume", fix: "all" } : { kind: "resume" };
}

/** Whether an engine is on hold; the person who resumes may have resolved that. */
function isHeldUp(
  { turns, human }: SessionState,
  { isResumed, nowMs }: { readonly isResumed: boolean; readonly nowMs: number },
): boolean {
  if (turns === undefined) return false;
  return isAnyHeld({ ...turns, human }, nowMs, isResumed ? "anything" : "person");
}
