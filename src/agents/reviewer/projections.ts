import { encodeAnsweredMilestone } from "../../fs-protocol/answered-milestone.ts";
import type { JudgeFold } from "../../fs-protocol/fold-judge.ts";
import type { Home } from "../../fs-protocol/home.ts";
import { encodeFindingsBlock } from "../../fs-protocol/findings-block.ts";
import { encodeReviewedCommit } from "../../fs-protocol/reviewer-checkpoint.ts";
import type { ReviewerRecord } from "../../fs-protocol/reviewer-log.ts";
import { exhaustedFix } from "../exhausted-fix.ts";
import { itemLines } from "../item-lines.ts";
import type { Project, Projection } from "../projector.ts";

/**
 * What the reviewer's journal puts into PROGRESS.txt, REVIEWS.md, reviewer.checkpoint and
 * reviewer.milestone, in this order.
 */
export function reviewerProjections(home: Home): Project<ReviewerRecord, JudgeFold> {
  return (record, before, after) => {
    const lines = itemLines(record, before, after).map((text) => ({
      path: home.reviews,
      text,
      isShared: false,
    }));
    if (record.kind !== "review.end") return [...exhaustedFix(home, record, after), ...lines];
    if (record.outcome === "needs_input" || record.outcome === "blocked") return lines;
    return [...entry(home, record), ...lines, ...progress(home, record)];
  };
}

function entry(
  home: Home,
  record: Extract<ReviewerRecord, { kind: "review.end" }>,
): readonly Projection[] {
  if (record.outcome !== "reviewed") return [];
  const { time, findings } = record;
  const reviewer = findings[0]?.reviewer ?? "correctness";
  const text = encodeFindingsBlock({ time, reviewer, level: "blocking", findings });
  return [{ path: home.progress, text, isShared: true }];
}

function progress(
  home: Home,
  record: Extract<ReviewerRecord, { kind: "review.end" }>,
): readonly Projection[] {
  const gaveUp = record.outcome === "gaveup";
  const { checkpoint, m: name } = record;
  if (checkpoint !== undefined) {
    const text = encodeReviewedCommit({ sha: checkpoint, gaveUp });
    return [{ path: home.reviewerCheckpoint, text, isShared: false }];
  }
  if (name === undefined) return [];
  const text = encodeAnsweredMilestone({ name, gaveUp });
  return [{ path: home.reviewerMilestone, text, isShared: false }];
}
