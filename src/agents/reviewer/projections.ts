import { encodeAnsweredMilestone } from "../../fs-protocol/projections/answered-milestone.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import { encodeDivergence } from "../../fs-protocol/records/divergence.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { encodeFindingsBlock } from "../../fs-protocol/findings/findings-block.ts";
import { encodeGaveUp } from "../../fs-protocol/projections/story-entries.ts";
import { encodeReviewedCommit } from "../../fs-protocol/projections/reviewer-checkpoint.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { ReviewerResult } from "../../fs-protocol/records/reviewer-result.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import { judgeProjections, type EntrySettings } from "../judge/judge-projections.ts";
import type { Project, Projection } from "../../home/projector.ts";

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;

/**
 * What is written from the reviewer's journal to PROGRESS.txt, REVIEWS.md, reviewer.checkpoint and
 * reviewer.milestone, in this order.
 */
export function reviewerProjections(
  home: Home,
  settings: EntrySettings,
): Project<ReviewerRecord, JudgeFold> {
  const judged = judgeProjections(home, settings, isReviewEnd, {
    items: home.reviews,
    entries: (end) => [
      ...blocks(home, end),
      ...(settings.progress === undefined ? [] : gaveUpEntries(home, end)),
    ],
    answers: (end) => checkpoints(home, end),
  });
  return (record, before, after) => {
    if (record.kind !== "divergence") return judged(record, before, after);
    const text = encodeDivergence("reviewer", record, settings.progress);
    return [{ path: home.changes, text }];
  };
}

function isReviewEnd(record: ReviewerRecord): record is ReviewEnd {
  return record.kind === "review.end";
}

/** A block for each reviewer that reached a verdict. */
function blocks(home: Home, record: ReviewEnd): readonly Projection[] {
  const { time, findings } = record;
  return resultsOf(record).flatMap(({ name: reviewer, level, verdict, ids = [] }) => {
    if (verdict !== "passed" && verdict !== "needs_work") return [];
    const own = ids.flatMap((id) => findings.find((finding) => finding.id === id) ?? []);
    const text = encodeFindingsBlock({ time, reviewer, level, findings: own });
    return [{ path: home.progress, text }];
  });
}

/** An entry for each reviewer without an answer; one for the role if no reviewer was asked yet. */
function gaveUpEntries({ progress: path }: Home, record: ReviewEnd): readonly Projection[] {
  const { time, outcome, reason = "", reviewers = [] } = record;
  if (outcome !== "gaveup") return [];
  const silent = reviewers.filter(({ verdict }) => verdict === "gaveup");
  const names =
    silent.length === 0 ? [UNNAMED] : silent.map(({ name, level }) => `${name} (${level})`);
  const what = `Review ${rangeOf(record)}.`;
  return names.map((who) => ({ path, text: encodeGaveUp({ time, who, what, reason }) }));
}

function rangeOf({ m, checkpoint = "", unit }: ReviewEnd): string {
  if (m !== undefined) return `the milestone ${m}`;
  const commits = decodeUnit(unit);
  const first = commits?.kind === "commit" ? commits.first : checkpoint;
  return first === checkpoint ? `commit ${checkpoint}` : `commits ${first} to ${checkpoint}`;
}

/** The results of the reviewers; for a record without them, one for each reviewer that its findings name. */
function resultsOf({ outcome, reviewers, findings }: ReviewEnd): readonly ReviewerResult[] {
  if (reviewers !== undefined) return reviewers;
  if (outcome !== "reviewed") return [];
  const verdict = findings.length === 0 ? "passed" : "needs_work";
  const names = findings.length === 0 ? [UNNAMED] : findings.map(({ reviewer }) => reviewer);
  return [...new Set(names)].map((name) => {
    const ids = findings.filter(({ reviewer }) => reviewer === name).map(({ id }) => id);
    return { name, level: "blocking", verdict, ids };
  });
}

/** The name of a reviewer that the record does not name. */
const UNNAMED = "reviewer";

function checkpoints(home: Home, record: ReviewEnd): readonly Projection[] {
  const gaveUp = record.outcome === "gaveup";
  const { checkpoint, m: name } = record;
  const lines: Projection[] = [];
  if (checkpoint !== undefined) {
    // Commits that gave up together with their milestone are retried with it, under its name.
    const text = encodeReviewedCommit({ sha: checkpoint, gaveUp: gaveUp && name === undefined });
    lines.push({ path: home.reviewerCheckpoint, text });
  }
  if (name !== undefined) {
    const text = encodeAnsweredMilestone({ name, gaveUp });
    lines.push({ path: home.reviewerMilestone, text });
  }
  return lines;
}
