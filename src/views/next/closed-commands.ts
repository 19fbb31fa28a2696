import { isRewritten } from "../../workspace/branch-rewritten.ts";
import { laterCommand } from "../../workspace/finished/later-command.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { NextFacts } from "../../workspace/session/status-facts.ts";
import { shippedAs } from "../../workspace/finished/shipped-work.ts";

/** Shows all other sessions; suggested when a session has no next step of its own. */
const ELSEWHERE = "wisp list";

/** The commands that remain after work was shipped: clean up, ship a revision, merge the branch, or revise it. */
export function takenCommands(facts: NextFacts): readonly string[] {
  const { session, state, taken } = facts;
  const id = shippedAs(session);
  const later = laterOf(facts);
  const isRevised = taken?.isRevisedSince === true;
  if (isRevised && later.count > 0) return [laterCommand(later, id)];
  const isThere = state.branch.head !== undefined;
  // `wisp done` was killed midway, or the work was revised since. If the branch is gone, the clones stay.
  if (isRevised || (isThere && isUnfinished(facts))) return [`wisp done ${id}`];
  const canRevise = isThere && !isRewritten(state);
  return [...mergeCommands(facts), ...(canRevise ? [`wisp revise ${id}`] : []), ELSEWHERE];
}

/** Empty if the work was pushed: then it is merged at the remote. */
function mergeCommands({ session, state, taken }: NextFacts): readonly string[] {
  const { human, branch } = state;
  const { closed } = human;
  if (closed?.how !== "done" || closed.remote !== undefined || taken?.isMerged === true) return [];
  const name = shellWord(session.branch);
  if (branch.head === undefined) return [`git branch ${name} ${closed.at}`];
  if (branch.head === closed.at) return [`git merge ${name}`];
  return branch.places.has(closed.at) ? [`git merge ${closed.at}`] : [];
}

/** The commands for an abandoned or rejected session. A revision shares its parent's branch; any other branch is kept under a ref. */
export function givenUpCommands(facts: NextFacts): readonly string[] {
  const { session, state } = facts;
  const { id, branch, parent } = session;
  if (parent !== undefined) return [`wisp status ${parent.id}`];
  const isRejected = state.human.closed?.how === "rejected";
  // The command was killed before it had cleaned up everything.
  const isThere = state.branch.head !== undefined;
  if (isThere && isUnfinished(facts))
    return [isRejected ? `wisp review ${id} --reject` : `wisp abandon ${id}`];
  if (isThere) return [ELSEWHERE];
  const ref = givenUpRef(id);
  return [`git log ${ref}`, `git branch ${shellWord(branch)} ${ref}`, ELSEWHERE];
}

/** Whether clones are left here, or a place: the command that closed the session removes them. */
function isUnfinished({ hasClones, mirrors }: NextFacts): boolean {
  return hasClones === true || mirrors !== undefined;
}

/** The ref that keeps the commits of an abandoned or rejected session. */
export function givenUpRef(id: string): string {
  return `refs/wisp/rescue/${id}/abandoned`;
}
