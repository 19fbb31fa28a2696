import { need } from "../../base/fatal.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { isAnyHeld } from "../../session/steps/turn-gate.ts";
import type { HumanWord } from "../../workspace/session/append-human.ts";
import type { LaterCommits } from "../../workspace/finished/later-facts.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { allow } from "../../workspace/session/session-stage.ts";

/** Whether what `--no-fix` leaves to people is to be fixed from now on, and was not before. */
export function startsFixing(
  { policy, human }: Pick<SessionState, "policy" | "human">,
  { fix }: { readonly fix: boolean },
): boolean {
  return fix && policy.noFix === true && !human.fixesAll;
}

/** What a person asks for with `up` or `resume`. */
export interface TakenUp {
  readonly isResumed: boolean;
  /** Have what `--no-fix` leaves to people fixed from now on. */
  readonly fix: boolean;
  /** What nobody has reviewed yet, where it was asked for. */
  readonly later: LaterCommits | undefined;
}

/**
 * After the end a `resume` reopens: that is for whoever asks for it, where the session is stuck, or
 * commits were made on its branch that nobody has reviewed.
 */
export function isToResume(
  state: SessionState,
  { stopped, paused }: Pick<HumanFold, "stopped" | "paused">,
  { isResumed, fix, later, nowMs }: TakenUp & { readonly nowMs: number },
): boolean {
  const done = endOf(state);
  const isHeld = isHeldUp(state, { isResumed, nowMs });
  const isLifted = stopped || isHeld || (isResumed && paused) || startsFixing(state, { fix });
  const isMeant = done === undefined ? isLifted : isResumed;
  return isMeant && (done?.how !== "complete" || (later?.count ?? 0) > 0);
}

/** Commits that nobody has reviewed are reviewed whatever was said of the work since. */
export function mayTakeUp({ isResumed, later }: TakenUp, at: Parameters<typeof allow>[1]): void {
  if (isResumed && later?.by === at.id) return;
  need(allow(isResumed ? "resume" : "up", at));
}

/** The word that goes on with a session. */
export function resumeWord(isFixing: boolean): HumanWord {
  return isFixing ? { kind: "resume", fix: "all" } : { kind: "resume" };
}

/** An engine is left alone, and whoever says this may have seen to it. */
function isHeldUp(
  { turns, human }: SessionState,
  { isResumed, nowMs }: { readonly isResumed: boolean; readonly nowMs: number },
): boolean {
  if (turns === undefined) return false;
  return isAnyHeld({ ...turns, human }, nowMs, isResumed ? "anything" : "person");
}
