import type { Oid } from "../../src/base/oid.ts";
import { judgedKey } from "../../src/session/state/fold-judge.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import { decodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import type { Broken } from "./broken.ts";
import type { Commit, History } from "./history.ts";

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;

/** What a review moved the checkpoint over. */
interface Passed {
  readonly record: ReviewEnd;
  /** Places of the last commit before it, and of its last one. */
  readonly from: number;
  readonly to: number;
}

/**
 * I19: the checkpoint passes over nothing that nobody looked at, and over a person's commits only by a review
 * that is of them alone. I20: a review of several commits is of no more of wisp's own than `reviewPerCommit`,
 * those that a verdict covers aside; 0 is taken for one.
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
    // What gave up is looked at once more, behind the checkpoint.
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

/** Findings that are appended after their review (R3 planted) are no review. */
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
  /** Fixes that had a verdict by then. */
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

/** A person's, or what joins those of a remote with ours. */
function isForeign({ unit }: Commit): boolean {
  return unit === undefined || decodeUnit(unit)?.kind === "remote";
}
