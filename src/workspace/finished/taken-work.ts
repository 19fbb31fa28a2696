import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { placeOf } from "../../session/state/session-state.ts";
import { reviewedTo, type WorkPart } from "./later-commits.ts";

/** Of work that was taken, or of a revision of it: how it stands since. */
export interface TakenFacts {
  /** Reviewed commits came to it, which `wisp done` takes in its turn. */
  readonly isRevisedSince: boolean;
  /** What the user has checked out holds it. */
  readonly isMerged: boolean;
}

/**
 * Whether reviewed commits came to work after it was taken: those of a revision. Where the branch no longer holds what
 * was taken, it was rewritten since, and nothing of it is to take.
 *
 * @param family the session, and its revisions in the order of their numbers
 */
export function isRevisedSince(family: readonly WorkPart[]): boolean {
  const [top] = family;
  const { closed } = top?.state.human ?? {};
  const to = reviewedTo(family);
  if (top === undefined || to === undefined || closed?.how !== "done") return false;
  const { branch } = top.state;
  if (closed.at !== branch.base && !branch.places.has(closed.at)) return false;
  return placeOf(branch, to) > placeOf(branch, closed.at);
}

/** The session under whose name the work is taken: a revision's is that of its parent. */
export function takenAs({ id, parent }: Pick<SessionJson, "id" | "parent">): string {
  return parent?.id ?? id;
}
