import type { Oid } from "../../base/oid.ts";
import { isOver } from "../../session/rules/review-machine.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { placeOf, type SessionState } from "../../session/state/session-state.ts";
import type { LaterCommits } from "./later-facts.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/** A session, or a revision of it, with its current state. */
export interface WorkPart {
  readonly session: Pick<SessionJson, "id">;
  readonly state: SessionState;
}

const NO_LATER_COMMITS: LaterCommits = { count: 0, by: undefined, after: undefined };

/**
 * The commits on the branch of finished work that neither the session nor any of its complete
 * revisions has reviewed. All code that reports such commits uses this function. There are none
 * while the work continues.
 *
 * @param family the session, and its revisions ordered by number
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
  // The newest whose range begins before them: it has the fewest to review.
  const by = family.findLast(
    ({ state }) => isOpen(state) && isFinished(state) && state.branch.places.has(first),
  );
  return { count: later.length, by: by?.session.id, after: reviewedTo(family) };
}

/**
 * Commits that were reviewed by the session or by its complete revisions. An abandoned revision's
 * findings are dropped, so its commits have to be reviewed again.
 */
export function reviewedCommits(family: readonly SessionState[]): ReadonlySet<Oid> {
  const lasting = family.filter((state, index) => index === 0 || isFinished(state));
  return new Set(
    lasting.flatMap(({ branch, reviewer }) =>
      branch.commits.slice(0, placeOf(branch, reviewer.checkpoint)),
    ),
  );
}

/**
 * The unreviewed commits according to one session alone. A session that continued as a revision
 * does not know what that revision reviewed, and reports none.
 */
export function laterOfOne(part: WorkPart): LaterCommits {
  return part.state.human.revision > 0 ? NO_LATER_COMMITS : laterCommits([part]);
}

/** The unreviewed commits according to the whole family, if that was read. */
export function laterOf(facts: WorkPart & { readonly later?: LaterCommits | undefined }) {
  return facts.later ?? laterOfOne(facts);
}

/**
 * The end of the part of the branch that was reviewed without a gap: the last commit before the
 * first unreviewed one.
 */
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
