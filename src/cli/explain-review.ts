import type { ReviewEvent, ReviewState } from "../fs-protocol/review-machine.ts";
import { shown, type Words } from "./explanation.ts";
import type { IllegalReviewed, RevisionsSpent, StaleDiff } from "./failures.ts";
import { laterCommand, laterWords } from "./later-command.ts";
import type { NotReviewed } from "./later-facts.ts";
import { count } from "./sentence.ts";
import { shellWord } from "./shell-word.ts";

/** What keeps a review of finished work from being said. */
export type ReviewFailure = IllegalReviewed | NotReviewed | RevisionsSpent | StaleDiff;

const STANDS: Readonly<Record<ReviewState, string>> = {
  INITIAL_EXECUTION: "is not finished yet",
  PENDING_REVIEW: "waits to be looked at",
  REVISION_REQUESTED: "is to be revised",
  REVISION_IN_PROGRESS: "is being revised",
  APPROVED: "was approved of",
  REJECTED: "is closed for good",
};

const REFUSED: Partial<Readonly<Record<ReviewEvent, string>>> = {
  approve: "approved of",
  reject: "rejected",
  "request-revision": "sent back for a revision",
};

/** Words for what keeps a review of finished work from being said. */
export function explainReview(failure: ReviewFailure): Words {
  switch (failure.kind) {
    case "illegal-review":
      return explainIllegal(failure);
    case "not-reviewed":
      return [
        `${shown(failure.session)} cannot be approved of: ${laterWords(failure.later)}.`,
        "Nothing was put on record. First have that reviewed and tested:",
        laterCommand(failure.later, failure.session),
      ];
    case "stale-diff":
      return [
        `${shown(failure.asked)} is not how the work of ${shown(failure.session)} stands now` +
          (failure.now === undefined ? "; its branch is gone." : `; that is ${failure.now}.`),
        "Nothing was done. Look at it as it is now, then say it again:",
        `wisp review ${shellWord(failure.session)}`,
      ];
    case "revisions-spent":
      return [
        `Reviews have asked for ${count(failure.max, "revision")} of ${shown(failure.session)}, which is the limit: ` +
          "a session keeps the `revisions.requestedMax` that it began with.",
        "Plan what is left with the planner, repair it yourself, take it as it is, or refuse it:",
        `wisp revise ${shellWord(failure.session)}`,
        `wisp attach ${shellWord(failure.session)}`,
        `wisp done ${shellWord(failure.session)}`,
        `wisp review ${shellWord(failure.session)} --reject`,
      ];
  }
}

function explainIllegal({ session, from, by }: IllegalReviewed): Words {
  const id = shellWord(session);
  const what = REFUSED[by] ?? by;
  const message = `${shown(session)} ${STANDS[from]} (${from}): it cannot be ${what}.`;
  switch (from) {
    case "APPROVED":
      return [
        message,
        "Take it, ask for a revision, or give it up:",
        `wisp done ${id}`,
        `wisp review ${id} --request-revision "what has to change"`,
        `wisp abandon ${id}`,
      ];
    case "REVISION_REQUESTED":
    case "REVISION_IN_PROGRESS":
      return [message, "End or abandon the revision first:", `wisp review ${id}`];
    case "REJECTED":
      return [
        message,
        "Its commits are kept under a reference of their own. To look at them, or to have it done anew:",
        `git log refs/wisp/rescue/${id}/abandoned`,
        "wisp start request.md",
      ];
    default:
      return [message, "Where it stands:", `wisp review ${id}`];
  }
}
