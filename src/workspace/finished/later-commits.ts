import type { Oid } from "../../base/oid.ts";
import { isOver } from "../../session/rules/review-machine.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { placeOf, type SessionState } from "../../session/state/session-state.ts";
import type { LaterCommits } from "./later-facts.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/** A session, or a revision of it, as its files stand. */
export interface WorkPart {
  readonly session: Pick<SessionJson, "id">;
  readonly state: SessionState;
}

const NO_LATER_COMMITS: LaterCommits = { count: 0, by: undefined, after: undefined };

/**
 * The commits that came to the branch of finished work and that nobody has reviewed: neither the session nor any
 * of its complete revisions. Whatever speaks of them asks here. Where the work goes on there are none.
 *
 * @param family the session, and its revisions in the order of their numbers
 */
export function laterCommits(family: readonly WorkPart[]): LaterCommits {
  const [top] = family;
  const newest = family.at(-1);
  if (top === undefined || newest === undefined) return NO_LATER_COMMITS;
  const isAtWork = newest !== top && !isOver(newest.state);
  const { branch } = top.state;
  if (isAtWork || !isFinished(top.state) || branch.head === undefined) {
    return NO_LATER_COMMITS;
  }
  const reviewed = reviewedCommits(statesOf(family));
  const later = branch.commits.filter((oid) => !reviewed.has(oid));
  const [first] = later;
  if (first === undefined) return NO_LATER_COMMITS;
  // The newest whose range begins before them: it has the fewest to look at.
  const by = family.findLast(
    ({ state }) => isOpen(state) && isFinished(state) && state.branch.places.has(first),
  );
  return { count: later.length, by: by?.session.id, after: reviewedTo(family) };
}

/**
 * What reviewers have looked at: of the session, and of its revisions that are complete. What one found that was
 * given up is nobody's any more, so its commits are looked at again.
 */
export function reviewedCommits(family: readonly SessionState[]): ReadonlySet<Oid> {
  const lasting = family.filter((state, index) => index === 0 || isFinished(state));
  return new Set(
    lasting.flatMap(({ branch, reviewer }) =>
      branch.commits.slice(0, placeOf(branch, reviewer.checkpoint)),
    ),
  );
}

/** As far as one session alone says; a session that went on as a revision does not know what that one reviewed. */
export function laterOfOne(part: WorkPart): LaterCommits {
  return part.state.human.revision > 0 ? NO_LATER_COMMITS : laterCommits([part]);
}

/** As the whole family says, where it was looked at. */
export function laterOf(facts: WorkPart & { readonly later?: LaterCommits | undefined }) {
  return facts.later ?? laterOfOne(facts);
}

/** Up to where the branch was reviewed without a gap: the last commit before the first that nobody has seen. */
export function reviewedTo(family: readonly WorkPart[]): Oid | undefined {
  const branch = family[0]?.state.branch;
  const reviewed = reviewedCommits(statesOf(family));
  const gap = branch?.commits.findIndex((oid) => !reviewed.has(oid)) ?? -1;
  if (gap < 0) return branch?.commits.at(-1) ?? branch?.base;
  return gap === 0 ? branch?.base : branch?.commits[gap - 1];
}

function statesOf(family: readonly WorkPart[]): readonly SessionState[] {
  return family.map(({ state }) => state);
}

function isFinished(state: SessionState): boolean {
  return endOf(state)?.how === "complete";
}

function isOpen({ human }: SessionState): boolean {
  return human.closed === undefined;
}
