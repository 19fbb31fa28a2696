import type { Oid } from "../../base/oid.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import { placeOf, previousOf, type SessionState } from "../../session/state/session-state.ts";
import { coveredCommits } from "../../session/steps/covered-commits.ts";
import type { ReviewerStep } from "../../session/steps/step.ts";
import { milestoneUnderway } from "../../session/steps/step-turn.ts";
import { note } from "../../work/journal.ts";
import { undoneFields } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { reviewRange, ReviewMemory, type RangeReview } from "./review-range.ts";
import type { Range } from "./plan-review.ts";

type CommitStep = Extract<ReviewerStep, { kind: "review-commit" }>;
type MilestoneStep = Extract<ReviewerStep, { kind: "review-milestone" }>;

/** Reviews the commits of a unit, and moves the checkpoint in the same append (R3). */
export async function reviewCommit(
  context: RoleContext<"reviewer">,
  state: SessionState,
  step: CommitStep,
  memory = new ReviewMemory(),
): Promise<void> {
  const { journal } = context;
  const { first, sha, unit, reopens } = step;
  if (first === sha && coveredCommits(state.builder, state.reviewer).has(sha)) {
    const end = { kind: "review.end", time: journal.time(), unit, checkpoint: sha } as const;
    journal.append({ ...end, outcome: "covered", findings: [] });
    return;
  }
  const start = previousOf(state.branch, first);
  const range: Range = {
    unit,
    at: sha,
    start,
    purpose: "review-commit",
    countedFor: milestoneUnderway(state),
    covers: true,
    about: { startSha: start, endSha: sha },
  };
  const reviewed = await reviewRange(context, state, range, memory);
  const fields = fieldsOf(state, reviewed, reopens);
  if (fields === undefined) return;
  journal.append({
    kind: "review.end",
    time: journal.time(),
    unit,
    checkpoint: sha,
    ...fields,
  });
  noteReviewed(context, state, sha);
}

function noteReviewed(
  context: RoleContext<"reviewer">,
  { branch }: SessionState,
  checkpoint: Oid,
): void {
  const place = String(placeOf(branch, checkpoint));
  note(context, `Reviewed ${place} / ${String(branch.commits.length)} commits`);
}

/**
 * Reviews the range of a milestone, including those of its commits that have no review of their own;
 * an empty range takes no turn.
 */
export async function reviewMilestone(
  context: RoleContext<"reviewer">,
  state: SessionState,
  step: MilestoneStep,
  memory = new ReviewMemory(),
): Promise<void> {
  const { journal } = context;
  const { unit, reopens } = step;
  const { name, start, end: endSha } = step.milestone;
  if (start === endSha) {
    // A person ticked it, or its commits belong to the milestone before it: there is nothing to review.
    const time = journal.time();
    journal.append({ kind: "review.end", time, unit, m: name, outcome: "filtered", findings: [] });
    return;
  }
  const range: Range = {
    unit,
    at: endSha,
    start,
    purpose: "review-milestone",
    countedFor: name,
    covers: step.covers !== undefined,
    about: { milestone: name, startSha: start, endSha },
  };
  const reviewed = await reviewRange(context, state, range, memory);
  const fields = fieldsOf(state, reviewed, reopens);
  if (fields === undefined) return;
  const time = journal.time();
  const notes = reviewed.notes.map((text) => ({ kind: "note", time, text }) as const);
  const checkpoint = step.covers?.checkpoint;
  journal.append({ kind: "review.end", time, unit, checkpoint, m: name, ...fields }, ...notes);
  const isAnswered = fields.outcome !== "needs_input" && fields.outcome !== "blocked";
  if (checkpoint !== undefined && isAnswered) noteReviewed(context, state, checkpoint);
}

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;
type EndFields = Pick<
  ReviewEnd,
  "outcome" | "findings" | "reviewers" | "reason" | "reopens" | "question" | "ask"
>;

/** The fields of the record of the verdict; undefined if the review was interrupted, which records nothing. */
function fieldsOf(
  state: SessionState,
  { end, findings, results }: RangeReview,
  reopens: number,
): EndFields | undefined {
  if (end.kind === "stopped") return undefined;
  const verdicts = { findings: [...findings], reviewers: [...results] };
  if (end.kind === "done") {
    const isReviewed = results.some(({ verdict }) => verdict !== "skipped");
    return { outcome: isReviewed ? "reviewed" : "filtered", ...verdicts };
  }
  const undone = undoneFields(end, "reviewer", state.reviewer.questions.length, reopens);
  return { ...(end.kind === "gaveup" ? verdicts : { findings: [] }), ...undone };
}
