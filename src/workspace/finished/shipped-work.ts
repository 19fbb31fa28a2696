import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { placeOf } from "../../session/state/session-state.ts";
import { reviewedTo, type WorkPart } from "./later-commits.ts";

/** The state of shipped work, or of a revision of it, since it was shipped. */
export interface ShippedFacts {
  /** Whether reviewed commits were added since, which the next `wisp done` ships. */
  readonly isRevisedSince: boolean;
  /** Whether the user's checked-out branch contains the work. */
  readonly isMerged: boolean;
}

/**
 * Whether a revision added reviewed commits to the work after it was shipped. If the branch no
 * longer contains what was shipped, it was rewritten, and there is nothing to ship.
 *
 * @param family the session, and its revisions ordered by number
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

/** The session under whose name the work is shipped; for a revision, its parent. */
export function shippedAs({ id, parent }: Pick<SessionJson, "id" | "parent">): string {
  return parent?.id ?? id;
}
