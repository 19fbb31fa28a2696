import { isRewritten } from "../../workspace/branch-rewritten.ts";
import { laterCommand } from "../../workspace/finished/later-command.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { NextFacts } from "../../workspace/session/status-facts.ts";
import { takenAs } from "../../workspace/finished/taken-work.ts";

/** Everything else that there is: where a session leads nowhere. */
const ELSEWHERE = "wisp list";

/** What is left of work that was taken: to clean up, to take what was revised, to have it where it is wanted. */
export function takenCommands(facts: NextFacts): readonly string[] {
  const { session, state, taken, hasClones } = facts;
  const id = takenAs(session);
  const later = laterOf(facts);
  const isRevised = taken?.isRevisedSince === true;
  if (isRevised && later.count > 0) return [laterCommand(later, id)];
  const isThere = state.branch.head !== undefined;
  // Killed before it was done with, or revised since. Without the branch its clones stay.
  if (isRevised || (isThere && hasClones === true)) return [`wisp done ${id}`];
  const canRevise = isThere && !isRewritten(state);
  return [...mergeCommands(facts), ...(canRevise ? [`wisp revise ${id}`] : []), ELSEWHERE];
}

/** What was pushed is merged there. */
function mergeCommands({ session, state, taken }: NextFacts): readonly string[] {
  const { human, branch } = state;
  const { closed } = human;
  if (closed?.how !== "done" || closed.remote !== undefined || taken?.isMerged === true) return [];
  const name = shellWord(session.branch);
  if (branch.head === undefined) return [`git branch ${name} ${closed.at}`];
  if (branch.head === closed.at) return [`git merge ${name}`];
  return branch.places.has(closed.at) ? [`git merge ${closed.at}`] : [];
}

/** What nobody goes on with: a revision's branch is that of its parent, and any other is kept by a reference. */
export function givenUpCommands({ session, state, hasClones }: NextFacts): readonly string[] {
  const { id, branch, parent } = session;
  if (parent !== undefined) return [`wisp status ${parent.id}`];
  const isRejected = state.human.closed?.how === "rejected";
  // Killed before all of it was put away.
  const isThere = state.branch.head !== undefined;
  if (isThere && hasClones === true)
    return [isRejected ? `wisp review ${id} --reject` : `wisp abandon ${id}`];
  if (isThere) return [ELSEWHERE];
  const ref = givenUpRef(id);
  return [`git log ${ref}`, `git branch ${shellWord(branch)} ${ref}`, ELSEWHERE];
}

/** The reference that keeps the commits of a session that was given up or rejected. */
export function givenUpRef(id: string): string {
  return `refs/wisp/rescue/${id}/abandoned`;
}
