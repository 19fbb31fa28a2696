import type { Oid } from "../../base/oid.ts";
import type { GaveUp } from "./gave-up.ts";
import { placeOf, type SessionState } from "./session-state.ts";

type Reviewed = Pick<SessionState, "branch" | "builder" | "reviewer">;

/**
 * The commits that the reviewer has an answer about: up to its checkpoint, which also goes past what it gave up,
 * without those.
 */
export function answeredCommits(state: Reviewed): readonly Oid[] {
  const { branch, reviewer } = state;
  const gaveUp = new Set([...reviewer.gaveUp.values()].flatMap((unit) => commitsIn(unit, state)));
  return branch.commits
    .slice(0, placeOf(branch, reviewer.checkpoint))
    .filter((oid) => !gaveUp.has(oid));
}

/** Of a unit that gave up: none where the commits of its milestone were reviewed before. */
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
