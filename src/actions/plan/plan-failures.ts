import { PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";

interface Of {
  readonly session: string;
}

/** No plan of the session waits for an approval. */
export const NoWaitingPlan = refusal("no-waiting-plan", EXIT.failure, ({ session }: Of) => [
  `No plan of ${shown(session)} is waiting for your approval. Nothing was recorded.`,
  "To see the plan in force, or where the session stands:",
  `wisp plan ${shellWord(session)}`,
  `wisp status ${shellWord(session)}`,
]);

/** Another plan is waiting than the one that the person looked at. */
export const OtherPlan = refusal(
  "other-plan",
  EXIT.failure,
  ({ session, asked, waiting }: Of & { readonly asked: string; readonly waiting: string }) => [
    `The digest of the plan that is waiting begins with ${waiting.slice(0, PLAN_DIGEST_SHOWN_CHARS)}, not with ` +
      `${shown(asked)}: it is another plan. Nothing was recorded.`,
    "Look at it before you approve it:",
    `wisp plan ${shellWord(session)}`,
  ],
);

/** The file of the waiting plan is gone, or is not what the planner wrote. */
export const PlanLost = refusal(
  "plan-lost",
  EXIT.failure,
  ({ session, path }: Of & { readonly path: string }) => [
    `${shown(path)} is missing or was changed, so the waiting plan cannot be read.`,
    "To check the session's files and to repair them:",
    `wisp fsck ${shellWord(session)}`,
  ],
);

/** A rejection says what is wrong with the plan. */
export const RejectionEmpty = refusal("rejection-empty", EXIT.usage, ({ session }: Of) => [
  "A rejection needs a text that tells the planner what to change. Nothing was recorded.",
  `wisp plan ${shellWord(session)} --reject "<what to change>"`,
]);

/** The text of a rejection is longer than a request may be. */
export const RejectionTooLong = refusal(
  "rejection-too-long",
  EXIT.usage,
  ({ bytesMax }: { readonly bytesMax: number }) => [
    `With this text, the request would have more than ${String(bytesMax)} bytes. Nothing was recorded.`,
    "Shorten it, or put the details into a file in the repository and name that file.",
  ],
);

/** A person's edit of the waiting plan is not a plan. */
export const BadPlan = refusal(
  "bad-plan",
  EXIT.usage,
  ({
    session,
    line,
    problem,
    path,
  }: Of & { readonly line: number; readonly problem: string; readonly path: string }) => [
    `Line ${String(line)} of the edited plan: ${shown(problem)}. Nothing was recorded, and your text is kept in ` +
      `${shown(path)}.`,
    "Correct it and adopt it while no builder runs, or edit the plan again:",
    `wisp tasks ${shellWord(session)} --adopt ${shellWord(path)}`,
    `wisp plan ${shellWord(session)} --edit`,
  ],
);
