import { placeOf, type SessionState } from "../fs-protocol/session-state.ts";

/** How many commits were made on the branch of a complete session since: nobody has looked at them. */
export function laterCommits({ builder, branch, reviewer }: SessionState): number {
  if (builder.done?.how !== "complete" || branch.head === undefined) return 0;
  return branch.commits.length - placeOf(branch, reviewer.checkpoint);
}
