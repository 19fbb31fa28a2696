import { need } from "../../base/fatal.ts";
import { Usage } from "../../workspace/usage.ts";
import { isOver } from "../../session/rules/review-machine.ts";
import type { Actions, Answer } from "../actions.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import { endRevision } from "../../actions/close/end-revision.ts";
import {
  activeOf,
  partsOf,
  type FinishedWork,
  type ReadSession,
} from "../../workspace/finished/finished-work.ts";
import { laterCommits } from "../../workspace/finished/later-commits.ts";
import { refused, succeeded, withWork, type ToolWorld } from "./mcp-answer.ts";
import { isDoneUnverified, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { count } from "../../base/words/sentence.ts";
import { withTools } from "./tool-words.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/** Continues work that rests, as `wisp resume` does, in the background. */
export async function resumeSession(
  world: ToolWorld,
  { session }: ToolInput<"resumeSession">,
): Promise<Answer> {
  return withWork(world, { session }, async (work) => {
    const later = laterCommits(partsOf(work));
    const target = reviewerOf(work, later.by) ?? activeOf(work);
    const { id } = target.found.session;
    // Refuses here an engine that calls this during its own turn, and a closed session, even if
    // nothing has to be recorded.
    need(await appendHuman(world, target.found, () => undefined));
    if (endOf(target.state)?.how === "complete" && later.count === 0) {
      const says = withNothingVerified(`${id} is complete`, isDoneUnverified(target.state));
      return succeeded(`${says}: there is nothing to resume. Next: review_changes.`, {
        ...{ session: work.found.session.id, goesOn: id, isNew: false },
      });
    }
    const { resumeInBackground } = await import("../../actions/up/continue-session.ts");
    await resumeInBackground(world, id);
    const what = later.count === 0 ? "" : ` to have ${count(later.count, "commit")} reviewed`;
    return succeeded(`${id} continues${what}. Next: work_status with waitSeconds.`, {
      ...{ session: work.found.session.id, goesOn: id, isNew: true },
    });
  });
}

function reviewerOf(work: FinishedWork, id: string | undefined): ReadSession | undefined {
  const all: readonly ReadSession[] = [work, ...work.revisions];
  return all.find(({ found }) => found.session.id === id);
}

/** Abandons a revision that has not ended. Idempotent. */
export async function abandonRevision(
  world: ToolWorld,
  { session }: ToolInput<"abandonRevision">,
): Promise<Answer> {
  return withWork(world, { session }, async (work) => {
    const newest = work.revisions.at(-1);
    const isGivenUp = newest?.state.human.closed?.how === "abandoned";
    if (newest?.found.session.id !== session || (isOver(newest.state) && !isGivenUp)) {
      const problem = `${session} is not an unfinished revision: nothing was done`;
      return refused(Usage({ problem }), work);
    }
    const kept = await endRevision(world, newest.found);
    const words = [
      `${session} was abandoned. What it published stays on branch ${newest.found.session.branch}.`,
      ...kept.map((ref) => `${ref} keeps work that was not on the branch.`),
      "Next: work_status.",
    ];
    const data = { session: work.found.session.id, abandoned: session, kept };
    return succeeded(withTools(words.join(" ")), data);
  });
}
