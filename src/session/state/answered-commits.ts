import type { Oid } from "../../base/oid.ts";
import type { GaveUp } from "./gave-up.ts";
import { placeOf, type SessionState } from "./session-state.ts";

type Reviewed = Pick<SessionState, "branch" | "builder" | "reviewer">;

/**
 * Returns the commits that the reviewer has answered: those up to its checkpoint, without the
 * commits of units that gave up, which the checkpoint also passes.
 */
export function answeredCommits(state: Reviewed): readonly Oid[] {
  const { branch, reviewer } = state;
  const gaveUp = new Set([...reviewer.gaveUp.values()].flatMap((unit) => commitsIn(unit, state)));
  return branch.commits
    .slice(0, placeOf(branch, reviewer.checkpoint))
    .filter((oid) => !gaveUp.has(oid));
}

/**
 * Returns the commits that were not reviewed because the unit gave up. A milestone's review has
 * none if its commits were reviewed on their own.
 */
function commitsIn(
  { subject, first = subject, of, covers }: GaveUp,
  { branch, builder }: Reviewed,
): readonly Oid[] {
  if (of === "commit")
    return branch.commits.slice(placeOf(branch, first) - 1, placeOf(branch, subject));
  const milestone = builder.milestones.find(({ name }) => name === subject);
  if (covers !== true || milestone === undefined) return [];
  return branch.commits.slice(placeOf(branch, milestone.start), placeOf(branch, milestone.end));
}
