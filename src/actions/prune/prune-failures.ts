import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { KeepReason } from "../../session/rules/why-kept.ts";

interface NotPrunedFacts {
  readonly session: string;
  readonly why: KeepReason;
  /** What `--force` would lose for good, in a sentence. */
  readonly loses: string;
}

const WHY: Readonly<Record<KeepReason, string>> = {
  "at-work": "a process works on it",
  mirrors: "it has a place on another machine",
  elsewhere: "its files are in another state directory than this environment's",
  "not-finished": "it is not finished",
  "not-shipped": "it is complete, but not shipped",
  "being-revised": "a revision of it is not finished or not shipped",
  "unsaved-work": "its clones may hold work that is nowhere else",
  "too-recent": "it is not as old as --older-than says",
};

/** The files of the session that a person named must stay. */
export const NotPruned = refusal(
  "not-pruned",
  EXIT.stuck,
  ({ session, why, loses }: NotPrunedFacts) => {
    const name = shellWord(session);
    const message = `The files of ${shown(session)} were not removed: ${WHY[why]}.`;
    switch (why) {
      case "at-work":
        return [message, "To end it first:", `wisp stop ${name}`];
      case "mirrors":
        return [message, "To remove that place:", `wisp move ${name} here`];
      case "elsewhere":
        return [message, "Set XDG_STATE_HOME as it was when the session was started."];
      case "too-recent":
        return [message, "To see how old it is:", `wisp prune ${name} --dry-run`];
      case "not-shipped":
        return [
          message,
          `With --force, this is lost: ${shown(loses)}`,
          `wisp done ${name}`,
          `wisp prune ${name} --force`,
        ];
      case "not-finished":
      case "being-revised":
      case "unsaved-work":
        return [
          message,
          `With --force, this is lost: ${shown(loses)}`,
          `wisp status ${name}`,
          `wisp prune ${name} --force`,
        ];
    }
  },
);
export type NotPruned = ReturnType<typeof NotPruned>;
