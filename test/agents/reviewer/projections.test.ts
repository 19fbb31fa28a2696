import { expect, test } from "vitest";
import { reviewerProjections } from "../../../src/agents/reviewer/projections.ts";
import { decodeFindingsBlocks } from "../../../src/fs-protocol/findings/findings-block.ts";
import { EMPTY_JUDGE, foldJudge } from "../../../src/session/state/fold-judge.ts";
import { isWrittenBySeveral } from "../../../src/fs-protocol/home/catalogue.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import type { ReviewerRecord } from "../../../src/fs-protocol/records/reviewer-log.ts";
import { finding, reviewer, sha } from "../../rig/records.ts";

/** For a session whose PROGRESS.txt has only reviews, fixes and final failures. */
const FIRST_FORM = { policy: DEFAULT_POLICY };
const home = homeAt("/home");
const COR = finding("COR-000001", { file: "a.js", line: 3 });

/** The projections of the last of these records, in order: file and text. */
function lastOf(...records: readonly ReviewerRecord[]) {
  const project = reviewerProjections(home, FIRST_FORM);
  let fold = EMPTY_JUDGE;
  let last: ReturnType<typeof project> = [];
  for (const record of records) {
    const before = fold;
    fold = foldJudge(before, record);
    last = project(record, before, fold);
  }
  return last;
}

test("a review is written to PROGRESS.txt, REVIEWS.md and its checkpoint file, in this order", () => {
  const last = lastOf(reviewer.commit(1, { findings: [COR] }));
  expect(last.map(({ path }) => [path, isWrittenBySeveral(path)])).toEqual([
    [home.progress, true],
    [home.reviews, false],
    [home.reviewerCheckpoint, false],
  ]);
  const [entry] = last;
  const blocks = decodeFindingsBlocks(entry?.text ?? "");
  expect(blocks.ok && blocks.value.map(({ verdict }) => verdict)).toEqual(["NEEDS_WORK"]);
});

test("a commit that passes adds an entry and a checkpoint", () => {
  const [entry, checkpoint, ...more] = lastOf(reviewer.commit(1));
  expect(entry?.text).toContain("### Verdict: PASSED");
  expect(checkpoint?.text).toBe(`${sha(1)}\n`);
  expect(more).toEqual([]);
});

test("a reviewed milestone is recorded in reviewer.milestone", () => {
  const last = lastOf(reviewer.milestone("One"));
  expect(last.at(-1)).toEqual({ path: home.reviewerMilestone, text: "One\n" });
});

test("a milestone reviewed with its commits is recorded in both files, and one that gave up in one", () => {
  const texts = (outcome: "reviewed" | "gaveup") =>
    lastOf(reviewer.milestone("One", { checkpoint: sha(3), outcome }))
      .filter(({ path }) => path !== home.progress)
      .map(({ path, text }) => [path, text]);
  expect(texts("reviewed")).toEqual([
    [home.reviewerCheckpoint, `${sha(3)}\n`],
    [home.reviewerMilestone, "One\n"],
  ]);
  expect(texts("gaveup")).toEqual([
    [home.reviewerCheckpoint, `${sha(3)}\n`],
    [home.reviewerMilestone, "One|gaveup\n"],
  ]);
});

test("a review that gave up counts as answered, but is no review in PROGRESS.txt", () => {
  const commit = lastOf(reviewer.commit(1, { outcome: "gaveup", reason: "crashed" }));
  expect(commit.map(({ path }) => path)).toEqual([home.reviewerCheckpoint]);
  expect(commit[0]?.text).not.toBe(`${sha(1)}\n`);
  const milestone = lastOf(reviewer.milestone("One", { outcome: "gaveup", reason: "crashed" }));
  expect(milestone.map(({ path }) => path)).toEqual([home.reviewerMilestone]);
});

test("the commit of a fix that was judged moves the checkpoint without an entry", () => {
  const last = lastOf(reviewer.commit(1, { outcome: "covered" }));
  expect(last.map(({ path, text }) => [path, text])).toEqual([
    [home.reviewerCheckpoint, `${sha(1)}\n`],
  ]);
});

test.each(["needs_input", "blocked"] as const)("a question (%s) changes no file", (outcome) => {
  const question = { question: "reviewer-1", ask: "Why?" };
  expect(lastOf(reviewer.commit(1, { outcome, ...question }))).toEqual([]);
});

test("a verdict on a fix is a line of REVIEWS.md", () => {
  const last = lastOf(reviewer.commit(1, { findings: [COR] }), reviewer.verify(COR.id, "closed"));
  expect(last.map(({ path }) => path)).toEqual([home.reviews]);
});

test("the last fix that is not accepted is also a failed fix in PROGRESS.txt", () => {
  const opened = reviewer.commit(1, { findings: [COR] });
  const reason = "It still says hullo.";
  const again = lastOf(opened, reviewer.verify(COR.id, "reopened", { reason }));
  expect(again.map(({ path }) => path)).toEqual([home.reviews]);
  const third = { attempt: 3, reason, exhausted: 3 };
  const last = lastOf(opened, reviewer.verify(COR.id, "reopened", third));
  expect(last.map(({ path }) => [path, isWrittenBySeveral(path)])).toEqual([
    [home.progress, true],
    [home.reviews, false],
  ]);
  expect(last[0]?.text).toContain(
    `[Review Fix Failed] 2026-11-20 12:00 UTC - correctness/${COR.id}`,
  );
  expect(last[0]?.text).toContain("3 of 3 (exhausted)");
  expect(last[0]?.text).toContain(reason);
});

test("a fix of an item that a person has dismissed meanwhile has not failed", () => {
  const last = lastOf(
    reviewer.commit(1, { findings: [COR] }),
    reviewer.adopt(0, { dismiss: COR.id }),
    reviewer.verify(COR.id, "reopened", { exhausted: 3 }),
  );
  expect(last.map(({ path }) => path)).toEqual([home.reviews]);
});

test("each reviewer that reached a verdict has a block with its own findings, in order", () => {
  const docs = finding("DOC-000002", { reviewer: "docs", level: "suggestion", brief: "It lies" });
  const last = lastOf(
    reviewer.milestone("One", {
      findings: [COR, docs],
      reviewers: [
        { name: "correctness", level: "blocking", verdict: "needs_work", ids: [COR.id] },
        { name: "tests", level: "blocking", verdict: "passed" },
        { name: "docs", level: "suggestion", verdict: "needs_work", ids: [docs.id, COR.id] },
        { name: "security", level: "blocking", verdict: "gaveup" },
        { name: "sql", level: "blocking", verdict: "skipped" },
      ],
    }),
  );
  const entries = last.filter(({ path }) => path === home.progress).map(({ text }) => text);
  const heads = entries.map((text) =>
    text.replace(/^.*UTC - ([^\n]*)\n\n### Verdict: (\w+)[^]*$/, "$1 $2"),
  );
  expect(heads).toEqual([
    "correctness (blocking) NEEDS_WORK",
    "tests (blocking) PASSED",
    "docs (suggestion) NEEDS_WORK",
  ]);
  expect(entries[2]).toContain("1. **DOC-000002**");
  expect(entries[2]).toContain("2. **COR-000001**");
});

test("the findings of other reviewers are kept when a review gives up", () => {
  const last = lastOf(
    reviewer.milestone("One", {
      outcome: "gaveup",
      findings: [COR],
      reviewers: [
        { name: "correctness", level: "blocking", verdict: "needs_work", ids: [COR.id] },
        { name: "tests", level: "blocking", verdict: "gaveup" },
      ],
    }),
  );
  expect(last.map(({ path }) => path)).toEqual([
    home.progress,
    home.reviews,
    home.reviewerMilestone,
  ]);
});
