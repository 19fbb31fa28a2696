import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type {
  IllegalReview,
  ReviewEvent,
  ReviewState,
} from "../../session/rules/review-machine.ts";

const STATES: Readonly<Record<ReviewState, string>> = {
  INITIAL_EXECUTION: "is not finished yet",
  PENDING_REVIEW: "is waiting for review",
  REVISION_REQUESTED: "is waiting for its revision",
  REVISION_IN_PROGRESS: "is being revised",
  APPROVED: "was approved",
  REJECTED: "is closed for good",
};

const REFUSED: Partial<Readonly<Record<ReviewEvent, string>>> = {
  approve: "approved",
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
  const message = `${shown(session)} ${STATES[from]} (${from}): it cannot be ${REFUSED[by] ?? by}.`;
  switch (from) {
    case "APPROVED":
      return [
        message,
        "Ship it, request a revision, or abandon it:",
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
        "Its commits are kept under a reference. To see them, or to start over:",
        `git log refs/wisp/rescue/${id}/abandoned`,
        "wisp start request.md",
      ];
    default:
      return [message, "To see its state:", `wisp review ${id}`];
  }
}
