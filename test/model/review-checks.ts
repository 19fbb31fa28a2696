import type { Oid } from "../../src/base/oid.ts";
import { judgedKey } from "../../src/session/state/fold-judge.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import { decodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import type { Broken } from "./broken.ts";
import type { Commit, History } from "./history.ts";

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;

/** The commits over which a review moved the checkpoint. */
interface Passed {
  readonly record: ReviewEnd;
  /** Places of the last commit before the review's range, and of its last commit. */
  readonly from: number;
  readonly to: number;
}

/**
 * I19: the checkpoint skips no unreviewed commit, and passes a person's commits only by a review of these alone. I20:
 * a review of several commits has at most `reviewPerCommit` of wisp's own, not counting those that a verdict covers;
 * 0 counts as one.
 */
export function checkpointBroken(history: History, policy: Policy): Broken | undefined {
  const branch = history.branch.fold;
  const judged = new Set<string>();
  const waiting = new Set<string>();
  let from = 0;
  for (const record of history.reviewer.records) {
    if (record.kind === "verify.end") judged.add(judgedKey(record.id, record.attempt));
    if (record.kind !== "review.end" || !isAnswer(record)) continue;
    const subject = record.m ?? record.checkpoint ?? "";
    // A review that gave up is repeated, behind the checkpoint.
    const isAgain = waiting.delete(subject);
    if (record.outcome === "gaveup") waiting.add(subject);
    if (record.checkpoint === undefined || isAgain) continue;
    const passed = { record, from, to: placeOf(branch, record.checkpoint) };
    const broken = passedOver(history, passed) ?? tooMany(history, passed, { judged, policy });
    if (broken !== undefined) return broken;
    from = passed.to;
  }
  if (placeOf(branch, history.reviewer.fold.checkpoint) === from) return undefined;
  return { invariant: "I19", what: "the checkpoint is not where the reviews have moved it" };
}

/** Findings that are appended after their review (R3 planted) are not a review. */
function isAnswer({ outcome, unit }: ReviewEnd): boolean {
  return outcome !== "needs_input" && outcome !== "blocked" && !unit.startsWith("findings:");
}

function passedOver(history: History, { record, from, to }: Passed): Broken | undefined {
  const { builder, branch } = history;
  const place = (sha: Oid | undefined) => placeOf(branch.fold, sha);
  const broken = (what: string) => ({ invariant: "I19", what: `${record.unit}: ${what}` });
  if (to <= from) return broken("the checkpoint does not move on");
  if (record.m === undefined) {
    const unit = decodeUnit(record.unit);
    const isNext = unit?.kind === "commit" && place(unit.first) === from + 1;
    if (!isNext || place(unit.last) !== to) return broken("commits are passed over");
  } else {
    const milestone = builder.fold.milestones.find(({ name }) => name === record.m);
    if (milestone === undefined || place(milestone.end) !== to)
      return broken("the checkpoint is not the end of the milestone");
    if (place(milestone.start) > from)
      return broken("commits before the milestone are passed over");
  }
  const foreign = branch.records.slice(from, to).filter(isForeign);
  if (foreign.length === 0) return undefined;
  if (record.m !== undefined || foreign.length < to - from)
    return broken("a person's commits are reviewed beside others");
  return undefined;
}

interface Bound {
  /** Fixes that had a verdict at that time. */
  readonly judged: ReadonlySet<string>;
  readonly policy: Policy;
}

function tooMany(
  { builder, branch }: History,
  { record, from, to }: Passed,
  { judged, policy }: Bound,
): Broken | undefined {
  const covered = new Set(
    [...builder.fold.fixes.values()]
      .flat()
      .filter(({ id, attempt }) => judged.has(judgedKey(id, attempt)))
      .map(({ sha }) => sha),
  );
  const ours = branch.records
    .slice(from, to)
    .filter((commit) => !isForeign(commit) && !covered.has(commit.sha));
  const most = Math.max(policy.reviewPerCommit ?? 0, record.m === undefined ? 1 : 0);
  if (ours.length <= most) return undefined;
  const what = `${record.unit} is the review of ${String(ours.length)} commits`;
  return { invariant: "I20", what };
}

/** A person's commit, or a merge of a remote's commits with ours. */
function isForeign({ unit }: Commit): boolean {
  return unit === undefined || decodeUnit(unit)?.kind === "remote";
}
