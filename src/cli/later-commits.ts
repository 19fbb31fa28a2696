import { placeOf, type SessionState } from "../fs-protocol/session-state.ts";

/**
 * How many commits were made on the branch of a complete session since: nobody has looked at them. Where it
 * went on as a revision, they are that one's.
 */
export function laterCommits({ builder, branch, reviewer, human }: SessionState): number {
  const isOver = builder.done?.how !== "complete" || human.revision > 0;
  if (isOver || branch.head === undefined) return 0;
  return branch.commits.length - placeOf(branch, reviewer.checkpoint);
}
