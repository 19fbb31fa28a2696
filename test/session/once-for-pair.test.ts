import fc from "fast-check";
import { expect, test } from "vitest";
import { onceForPair } from "../../src/base/once-for-pair.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { openerOf } from "../../src/fs-protocol/records/item-id.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import {
  EMPTY_JUDGE,
  foldJudge,
  judgedKey,
  type JudgeFold,
} from "../../src/session/state/fold-judge.ts";
import { oldestUnanswered } from "../../src/session/steps/oldest-unanswered.ts";
import { coveredCommits } from "../../src/session/steps/covered-commits.ts";
import { unjudgedFixes } from "../../src/session/steps/log-summaries.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { builder, reviewer, sha, timeAt } from "../rig/records.ts";

const NAMES = ["A", "B", "C", "D"];
const ITEMS = ["COR-000001", "COR-000002", "BUG-000001"];
const name = fc.constantFrom(...NAMES);
const id = fc.constantFrom(...ITEMS);
const attempt = fc.integer({ min: 1, max: 3 });

const built = fc.oneof(
  name.map((m) =>
    builder.build({
      m,
      outcome: "milestone",
      milestones: [{ name: m, start: sha(0), end: sha(1) }],
    }),
  ),
  fc
    .record({ id, attempt, outcome: fc.constantFrom("fixed", "failed", "nochange") })
    .map((fix) => builder.fix({ ...fix, sha: sha(fix.attempt) })),
  name.map((m) => builder.build({ m, outcome: "partial" })),
);

const judged = fc.oneof(
  name.map((m) => reviewer.milestone(m)),
  fc
    .record({ id, attempt, verdict: fc.constantFrom("closed", "reopened") })
    .map((verdict): ReviewerRecord => ({
      kind: "verify.end",
      time: timeAt(0),
      unit: `verify:${verdict.id}:${String(verdict.attempt)}`,
      sha: sha(verdict.attempt),
      ...verdict,
    })),
  fc.constant(reviewer.commit(1)),
);

/** The fold of each beginning of a log. */
function beginnings<F, R>(records: readonly R[], empty: F, fold: (fold: F, record: R) => F): F[] {
  const all = [empty];
  for (const record of records) all.push(fold(all.at(-1) ?? empty, record));
  return all;
}

/** What the decisions ask, found by looking at everything. */
function lookedUp(judge: JudgeFold, role: "reviewer" | "tester", own: BuilderFold) {
  const fixes = [...own.fixes.values()].flat();
  const isJudged = ({ id: item, attempt: at }: { readonly id: string; readonly attempt: number }) =>
    judge.judged.has(judgedKey(item, at));
  return {
    oldest: own.milestones.find((one) => !judge.answered.has(one.name)),
    unjudged: fixes.filter(
      (fix) => fix.outcome !== "failed" && openerOf(fix.id) === role && !isJudged(fix),
    ),
    covered: new Set(
      fixes.filter((fix) => fix.outcome === "fixed" && isJudged(fix)).map((fix) => fix.sha),
    ),
  };
}

test("in whatever order the beginnings of two logs are seen, what is remembered of them equals what a look at everything finds", () => {
  fc.assert(
    fc.property(
      fc.array(built, { maxLength: 12 }),
      fc.array(judged, { maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("reviewer", "tester")), {
        minLength: 1,
        maxLength: 30,
      }),
      (ofBuilder: readonly BuilderRecord[], ofJudge, looks) => {
        const owns = beginnings(ofBuilder, EMPTY_BUILDER, (fold, record) =>
          foldBuilder(fold, record, DEFAULT_POLICY),
        );
        const judges = beginnings(ofJudge, EMPTY_JUDGE, foldJudge);
        for (const [one, other, role] of looks) {
          const own = owns[one % owns.length] ?? EMPTY_BUILDER;
          const judge = judges[other % judges.length] ?? EMPTY_JUDGE;
          expect({
            oldest: oldestUnanswered(judge, own),
            unjudged: unjudgedFixes(judge, role, own),
            covered: coveredCommits(own, judge),
          }).toEqual(lookedUp(judge, role, own));
        }
      },
    ),
  );
});

test("what two values give is computed once, until one of them is another", () => {
  let computed = 0;
  const sum = onceForPair((one: readonly number[], other: readonly number[]) => {
    computed += 1;
    return [...one, ...other].reduce((all, each) => all + each, 0);
  });
  const [one, other] = [[1], [2]];
  expect([sum(one, other), sum(one, other), computed]).toEqual([3, 3, 1]);
  expect([sum(one, [3]), sum([4], other), computed]).toEqual([4, 6, 3]);
});
