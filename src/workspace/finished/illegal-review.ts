import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type {
  IllegalReview,
  ReviewEvent,
  ReviewState,
} from "../../session/rules/review-machine.ts";

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

/** The state of finished work does not allow what was requested. */
export const IllegalReviewed = refusal("illegal-review", EXIT.failure, illegalWords);
export type IllegalReviewed = ReturnType<typeof IllegalReviewed>;

/** The failure for a transition that the rules refuse. */
export function illegalReview(session: string, refused: IllegalReview): IllegalReviewed {
  const { from, by, possible } = refused;
  return IllegalReviewed({ session, from, by, possible });
}

function illegalWords({
  session,
  from,
  by,
}: Omit<IllegalReview, "kind"> & { readonly session: string }): Words {
  const id = shellWord(session);
  const message = `${shown(session)} ${STANDS[from]} (${from}): it cannot be ${REFUSED[by] ?? by}.`;
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
