import { count, type Tone } from "../../base/words/sentence.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { ReportItem, ReportMilestone } from "./report-view.ts";

/** How it stands with a milestone, in a few words. */
export function milestoneState({ progress, range }: ReportMilestone): {
  readonly words: string;
  readonly tone: Tone;
} {
  if (progress === undefined) {
    return {
      words: range === undefined ? "not in the plan" : "built, not in the plan",
      tone: "faint",
    };
  }
  const { isFinished, isReviewed, isTested, gaveUp, stalled, tasksDone } = progress;
  if (isFinished && isReviewed && isTested) return { words: "done", tone: "good" };
  if (gaveUp.length > 0) return { words: `${gaveUp.join(" and ")} gave up`, tone: "bad" };
  if (isFinished) return { words: isReviewed ? "not tested" : "not reviewed", tone: "ask" };
  if (stalled > 0) return { words: `${count(stalled, "attempt")} without progress`, tone: "bad" };
  return { words: tasksDone > 0 ? "begun" : "to do", tone: "faint" };
}

/** How an item was closed, or why it is still open. */
export function closingWords({ state, fixes, dismissal }: ReportItem): string {
  const accepted = fixes.findLast(({ verdict }) => verdict === "closed");
  const tried = fixes.length === 0 ? "" : `, ${count(fixes.length, "attempt")}`;
  switch (state) {
    case "closed":
      if (accepted?.outcome === "nochange") return "closed: no change is needed";
      return accepted?.sha === undefined ? "closed" : `fixed in ${shortSha(accepted.sha)}${tried}`;
    case "dismissed":
      return dismissal === undefined ? "dismissed" : `dismissed: ${dismissal}`;
    case "fixed":
      return `a fix waits for its verdict${tried}`;
    case "spent":
      return `open: all attempts are used up${tried}`;
    case "stalemate":
      return `open: fixes and verdicts disagree${tried}`;
    case "open":
      return `open${tried}`;
  }
}
