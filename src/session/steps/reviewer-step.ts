import type { Oid } from "../../base/oid.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { JudgeFold } from "../state/fold-judge.ts";
import { isOwn } from "../state/own-commits.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { oldestUnanswered } from "./oldest-unanswered.ts";
import { isAtEnd } from "../state/stage.ts";
import { placeOf, type Branch } from "../state/session-state.ts";
import { decodeUnit, encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { coveredCommits } from "./covered-commits.ts";
import { judgeStep, type JudgeView } from "./judge-step.ts";
import { waitFor, type MilestoneCover, type ReviewerStep } from "./step.ts";

/** All facts that the reviewer's next step depends on. */
export interface ReviewerView extends JudgeView {
  readonly tester: JudgeFold;
  readonly branch: Branch;
  readonly policy: Policy;
}

/**
 * Returns the step of the first row that applies in the reviewer's table
 * (docs/PROTOCOL.md, section 12).
 */
export function reviewerStep(view: ReviewerView): ReviewerStep {
  return judgeStep<ReviewerStep>("reviewer", view, [() => again(view), () => oldestFirst(view)]);
}

/** A unit that gave up before the latest reopen in view is tried once more. */
function again({ own, builder }: ReviewerView): ReviewerStep | undefined {
  const gaveUp = [...own.gaveUp.values()].find(({ atReopens }) => atReopens < builder.reopens);
  if (gaveUp === undefined) return undefined;
  const at = { reopens: builder.reopens };
  if (gaveUp.of === "commit") {
    const { subject: sha, first = sha } = gaveUp;
    const unit = encodeUnit({ kind: "commit", first, last: sha, reopens: builder.reopens });
    return { kind: "review-commit", first, sha, unit, ...at };
  }
  const milestone = builder.milestones.find(({ name }) => name === gaveUp.subject);
  if (milestone === undefined) return undefined;
  const unit = encodeUnit({
    kind: "review",
    milestone: milestone.name,
    end: milestone.end,
    reopens: builder.reopens,
  });
  // The checkpoint is already past these commits.
  const cover = gaveUp.covers === true ? { covers: { checkpoint: undefined } } : {};
  return { kind: "review-milestone", milestone, ...cover, unit, ...at };
}

/**
 * Reviews the commits up to the end of the oldest unreviewed milestone, then that milestone, then
 * later commits (R21).
 */
function oldestFirst(view: ReviewerView): ReviewerStep {
  const { own, builder, branch, policy } = view;
  const milestone = oldestUnanswered(own, builder);
  const bound = milestone === undefined ? branch.commits.length : placeOf(branch, milestone.end);
  const pending = branch.commits.slice(placeOf(branch, own.checkpoint), bound);
  const [first] = pending;
  if (first !== undefined) {
    // A commit arrived while the logs were read: the next read shows whose it is, and whether the session ended
    // before it came, so read again at once.
    if (kindsOf(view)(first) === "unknown") return waitFor({ kind: "old-view" }, 0);
    const { reviewPerCommit = 0 } = policy;
    if (reviewPerCommit === 0) return oneByOne(view, first, pending);
    return together(view, { first, pending, milestone, most: reviewPerCommit });
  }
  if (milestone === undefined) return waitFor({ kind: "idle" });
  return reviewOf(view, milestone, undefined);
}

/** Reviews each commit on its own, except that consecutive commits of a person form one unit. */
function oneByOne(view: ReviewerView, first: Oid, pending: readonly Oid[]): ReviewerStep {
  const kindOf = kindsOf(view);
  const last = leading(pending, (sha) => kindOf(sha) === "foreign").at(-1) ?? first;
  return commitsOf(view, first, last);
}

/** Commits after the checkpoint, and the milestone that ends with the last of them. */
interface Pending {
  readonly first: Oid;
  readonly pending: readonly Oid[];
  readonly milestone: EndedMilestone | undefined;
  /** At most this many commits are reviewed together, or with their milestone. */
  readonly most: number;
}

/**
 * Reviews wisp's own commits together with the milestone that they end in, or together if they
 * belong to none. If there are more than `most`, the oldest is reviewed on its own. A person's
 * commits get a turn of their own in branch order: commits before them are reviewed first, so that
 * the checkpoint never skips a commit. While another milestone may still end, commits that belong
 * to it wait.
 */
function together(view: ReviewerView, { first, pending, milestone, most }: Pending): ReviewerStep {
  const { own, builder } = view;
  const asked = decodeUnit(own.questions.at(-1)?.unit ?? "");
  // The question was about exactly this range, so the answer is used for the same range.
  if (asked?.kind === "commit" && asked.first === first) return commitsOf(view, first, asked.last);
  const covered = coveredCommits(builder, own);
  if (covered.has(first)) return commitsOf(view, first, first);
  const kinds = pending.map(kindsOf(view));
  // What is reviewed together depends on whose each commit is.
  if (kinds.includes("unknown")) return waitFor({ kind: "old-view" }, 0);
  const ours = leading(pending, (_, index) => kinds[index] === "own");
  if (ours.length === 0) {
    const last = leading(pending, (_, index) => kinds[index] === "foreign").at(-1) ?? first;
    return commitsOf(view, first, last);
  }
  const unseen = ours.filter((sha) => !covered.has(sha));
  if (unseen.length > most) return commitsOf(view, first, first);
  if (ours.length === pending.length) {
    if (milestone !== undefined) return reviewOf(view, milestone, { checkpoint: milestone.end });
    if (!isAtEnd(builder)) return waitFor({ kind: "idle" });
  }
  return commitsOf(view, first, unseen.at(-1) ?? first);
}

function commitsOf({ builder }: ReviewerView, first: Oid, sha: Oid): ReviewerStep {
  const unit = encodeUnit({ kind: "commit", first, last: sha });
  return { kind: "review-commit", first, sha, unit, reopens: builder.reopens };
}

function reviewOf(
  { builder }: ReviewerView,
  milestone: EndedMilestone,
  covers: MilestoneCover | undefined,
): ReviewerStep {
  const unit = encodeUnit({ kind: "review", milestone: milestone.name, end: milestone.end });
  const cover = covers === undefined ? {} : { covers };
  return { kind: "review-milestone", milestone, ...cover, unit, reopens: builder.reopens };
}

/** Who made a commit. `unknown`: it arrived while the logs were read, and no log names it. */
type CommitKind = "own" | "foreign" | "unknown";

function kindsOf({ builder, tester, branch }: ReviewerView): (sha: Oid) => CommitKind {
  // Commits merged from a remote count as a person's, even if a merge joins them with wisp's.
  const isFromRemote = decodeUnit(builder.open?.unit ?? "")?.kind === "remote";
  const announced = [
    isFromRemote ? undefined : builder.open?.intent,
    tester.openUnit?.intent,
  ].flatMap((intent) => intent?.shas ?? []);
  return (sha) => {
    const isNamed = isOwn(builder.own, sha) || isOwn(tester.own, sha) || announced.includes(sha);
    if (isNamed) return "own";
    return placeOf(branch, sha) <= branch.settled ? "foreign" : "unknown";
  };
}

/** Returns the leading commits for which `holds` is true. */
function leading(
  shas: readonly Oid[],
  holds: (sha: Oid, index: number) => boolean,
): readonly Oid[] {
  const end = shas.findIndex((sha, index) => !holds(sha, index));
  return end === -1 ? shas : shas.slice(0, end);
}
