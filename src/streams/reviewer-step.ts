import type { Oid } from "../base/oid.ts";
import type { BuilderFold } from "../fs-protocol/builder-state.ts";
import { reopens, type HumanFold } from "../fs-protocol/fold-human.ts";
import type { JudgeFold } from "../fs-protocol/fold-judge.ts";
import { isOwn } from "../fs-protocol/own-commits.ts";
import { placeOf, type Branch } from "../fs-protocol/session-state.ts";
import { unitKey } from "../fs-protocol/unit-key.ts";
import { roleGate } from "./role-gate.ts";
import { itemsFor, unjudgedFixes } from "./seen.ts";
import { waitFor, type ReviewerStep } from "./step.ts";
import { verifyStep } from "./verify-step.ts";

/** Everything that the reviewer's next step depends on. */
export interface ReviewerView {
  readonly own: JudgeFold;
  readonly builder: BuilderFold;
  readonly tester: JudgeFold;
  readonly human: HumanFold;
  readonly branch: Branch;
}

/** The reviewer's rows of the table in coordination, section 5. */
export function reviewerStep(view: ReviewerView): ReviewerStep {
  const { own, builder, human } = view;
  const gate = roleGate({
    human,
    isOver: builder.done !== undefined && !reopens(human, builder.done),
    open: own.openUnit,
    questions: own.questions,
  });
  if (gate !== undefined) return gate;
  const item = itemsFor(human, "reviewer").find(({ index }) => index >= own.human);
  if (item !== undefined) return { kind: "adopt-human", item };
  const fix = unjudgedFixes(own, "reviewer", builder)[0];
  if (fix !== undefined) return verifyStep(fix);
  return again(view) ?? oldestFirst(view);
}

/** What gave up before the last reopen in view is asked once more. */
function again({ own, builder }: ReviewerView): ReviewerStep | undefined {
  const gaveUp = [...own.gaveUp.values()].find(({ atReopens }) => atReopens < builder.reopens);
  if (gaveUp === undefined) return undefined;
  const at = { reopens: builder.reopens };
  if (gaveUp.of === "commit") {
    const { subject: sha, first = sha } = gaveUp;
    const unit = unitKey.commits(first, sha, builder.reopens);
    return { kind: "review-commit", first, sha, unit, ...at };
  }
  const milestone = builder.milestones.find(({ name }) => name === gaveUp.subject);
  if (milestone === undefined) return undefined;
  const unit = unitKey.review(milestone.name, milestone.end, builder.reopens);
  return { kind: "review-milestone", milestone, unit, ...at };
}

/** Commits up to the end of the oldest unreviewed milestone, then that milestone, then later commits (R21). */
function oldestFirst(view: ReviewerView): ReviewerStep {
  const { own, builder, branch } = view;
  const milestone = builder.milestones.find(({ name }) => !own.answered.has(name));
  const reviewed = placeOf(branch, own.checkpoint);
  const bound = milestone === undefined ? branch.commits.length : placeOf(branch, milestone.end);
  const first = branch.commits[reviewed];
  const at = { reopens: builder.reopens };
  if (first !== undefined && reviewed < bound) {
    const sha = lastForeign(view, reviewed, bound) ?? first;
    const unit = unitKey.commits(first, sha, undefined);
    return { kind: "review-commit", first, sha, unit, ...at };
  }
  if (milestone === undefined) return waitFor({ kind: "idle" });
  const unit = unitKey.review(milestone.name, milestone.end, undefined);
  return { kind: "review-milestone", milestone, unit, ...at };
}

/** The last of the consecutive commits from this place on that are a person's, if the first is. */
function lastForeign(
  { builder, tester, branch }: ReviewerView,
  from: number,
  bound: number,
): Oid | undefined {
  const announced = [builder.open?.intent, tester.openUnit?.intent].flatMap(
    (intent) => intent?.shas ?? [],
  );
  const isForeign = (sha: Oid) =>
    !isOwn(builder.own, sha) && !isOwn(tester.own, sha) && !announced.includes(sha);
  const candidates = branch.commits.slice(from, Math.min(bound, branch.settled));
  const end = candidates.findIndex((sha) => !isForeign(sha));
  return (end === -1 ? candidates : candidates.slice(0, end)).at(-1);
}
