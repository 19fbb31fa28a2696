import { expect, test } from "vitest";
import { reviewCommit, reviewMilestone } from "../../../src/agents/reviewer/review.ts";
import { ok } from "../../../src/base/result.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import { builder, finding, human, reviewer, sha } from "../../rig/records.ts";
import { fakeClone } from "../fake-clone.ts";
import { memoryRole, stateOf, type Logs } from "../memory-role.ts";
import { found, PASSED, said } from "../turns.ts";

const COMMITS = [sha(1), sha(2), sha(3)];

/** A reviewer with these turns, in order; further ones pass. */
function reviewing(turns: readonly TurnOutcome[] = [], logs: Logs = {}) {
  const show = async () => ok("one\ntwo\nthree\n");
  const clone = fakeClone("/state/demo/reviewer/clone", { show });
  let turn = 0;
  const role = memoryRole("reviewer", () => turns[turn++] ?? PASSED, { clone });
  const state = stateOf({ commits: COMMITS, ...logs });
  const commit = (n: number) =>
    reviewCommit(role.context, state, {
      kind: "review-commit",
      first: sha(n),
      sha: sha(n),
      unit: `commit:${sha(n)}`,
      reopens: 2,
    });
  const milestone = (start = sha(1)) =>
    reviewMilestone(role.context, state, {
      kind: "review-milestone",
      milestone: { name: "One", start, end: sha(3) },
      unit: `review:One:${sha(3)}`,
      reopens: 2,
    });
  const ends = () => role.recordsOf("review.end");
  return { ...role, clone, commit, milestone, ends };
}

test("a commit that passes moves the checkpoint, and a note gives the progress of the review", async () => {
  const { commit, ends, asked, clone, recordsOf } = reviewing();
  await commit(2);
  expect(ends()).toHaveLength(1);
  expect(ends()[0]).toMatchObject({ checkpoint: sha(2), outcome: "reviewed", findings: [] });
  expect(recordsOf("note").map(({ text }) => text)).toEqual(["Reviewed 2 / 3 commits"]);
  expect(clone.synced).toEqual([sha(2)]);
  expect(asked[0]).toMatchObject({
    purpose: "review-commit",
    startSha: sha(1),
    endSha: sha(2),
    cwd: clone.directory,
  });
});

test("the first commit is compared with the session's base", async () => {
  const { commit, asked } = reviewing();
  await commit(1);
  expect(asked[0]?.startSha).toBe(sha(0));
});

test("findings and checkpoint are in one record, so that neither can be lost without the other", async () => {
  const { commit, ends } = reviewing([found("Correctness", "a.js:2")]);
  await commit(2);
  const [end] = ends();
  expect(end?.checkpoint).toBe(sha(2));
  expect(end?.findings.map(({ level, file, line }) => [level, file, line])).toEqual([
    ["blocking", "a.js", 2],
  ]);
});

test("a milestone is reviewed by its range, without moving the checkpoint", async () => {
  const { milestone, ends, asked, recordsOf } = reviewing([found("Correctness", "a.js:2")]);
  await milestone();
  expect(ends()[0]?.m).toBe("One");
  expect(ends()[0]?.checkpoint).toBeUndefined();
  expect(ends()[0]?.findings).toHaveLength(1);
  expect(asked[0]).toMatchObject({ milestone: "One", startSha: sha(1), endSha: sha(3) });
  expect(recordsOf("note")).toEqual([]);
});

test("a milestone without commits ends at once, without a turn", async () => {
  const { milestone, ends, asked, recordsOf } = reviewing();
  await milestone(sha(3));
  expect(ends()).toMatchObject([{ m: "One", outcome: "filtered", findings: [] }]);
  expect(asked).toEqual([]);
  expect(recordsOf("unit.begin")).toEqual([]);
});

test("the commit of a fix that was already judged takes no turn", async () => {
  const fix = builder.fix({ id: "COR-000001", attempt: 1, outcome: "fixed", sha: sha(2) });
  const { commit, ends, asked } = reviewing([], {
    builder: [fix],
    reviewer: [
      reviewer.commit(1, { findings: [finding("COR-000001")] }),
      reviewer.verify("COR-000001", "closed", { sha: sha(2) }),
    ],
  });
  await commit(2);
  expect(asked).toEqual([]);
  expect(ends()[0]).toMatchObject({ checkpoint: sha(2), outcome: "covered" });
});

test("the commit of a fix that nobody judged is reviewed like any other", async () => {
  const fix = builder.fix({ id: "BUG-000001", attempt: 1, outcome: "fixed", sha: sha(2) });
  const { commit, ends } = reviewing([], { builder: [fix] });
  await commit(2);
  expect(ends()[0]?.outcome).toBe("reviewed");
});

test("output that does not parse is asked for once more with the reason, on the same tree", async () => {
  const { commit, ends, asked, clone } = reviewing([said("Looks good to me!")]);
  await commit(2);
  expect(ends()[0]?.outcome).toBe("reviewed");
  expect(asked.map(({ ask, attempt }) => [ask, attempt])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(asked[1]?.prompt).toContain("Your last answer could not be read: There is no line");
  expect(clone.synced).toEqual([sha(2)]);
});

test("a reviewer that never gives a verdict gives up after three attempts, and never passes", async () => {
  const { commit, ends, recordsOf, ports } = reviewing(
    Array.from({ length: 9 }, () => said("Looks good to me!")),
  );
  await commit(2);
  expect(ends()[0]).toMatchObject({ outcome: "gaveup", checkpoint: sha(2), reopens: 2 });
  expect(ends()[0]?.reason).toContain("its output could not be read");
  expect(recordsOf("attempt.failed")).toHaveLength(3);
  expect(ports.clock.sleptMs).toEqual([250, 500]);
});

test("a question ends the unit, is recorded, and moves no checkpoint", async () => {
  const { commit, ends } = reviewing([{ kind: "needs-input", question: "Is it public?" }]);
  await commit(2);
  expect(ends()[0]).toMatchObject({
    outcome: "needs_input",
    question: "reviewer-1",
    ask: "Is it public?",
    findings: [],
  });
});

test("an interruption leaves the unit open", async () => {
  const { commit, ends, recordsOf } = reviewing([{ kind: "stopped" }]);
  await commit(2);
  expect(ends()).toEqual([]);
  expect(recordsOf("attempt.failed")).toEqual([]);
});

test("failures before a restart count for the same unit only", async () => {
  const unit = `commit:${sha(2)}`;
  const time = "2026-11-20T12:00:00.000Z";
  const before = [
    { kind: "unit.begin", time, unit, base: sha(2) },
    { kind: "attempt.failed", time, unit, reason: "crashed" },
    { kind: "attempt.failed", time, unit, reason: "crashed" },
  ] as const;
  const crash: TurnOutcome = { kind: "failed", reason: "crashed again" };
  const same = reviewing([crash, crash, crash], { reviewer: before });
  await same.commit(2);
  expect(same.asked.map(({ attempt }) => attempt)).toEqual([3]);
  expect(same.ends()[0]).toMatchObject({ outcome: "gaveup", reason: "crashed again" });
  const other = reviewing([crash], { reviewer: before });
  await other.commit(3);
  expect(other.asked.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test("the prompt contains the open findings and a person's answers", async () => {
  const question = { question: "reviewer-1", ask: "Is it public?" };
  const { commit, asked } = reviewing([], {
    reviewer: [
      reviewer.commit(1, { findings: [finding("COR-000001", { file: "a.js" })] }),
      reviewer.commit(2, { outcome: "needs_input", ...question }),
    ],
    human: [human.answer("reviewer-1", "Yes")],
  });
  await commit(2);
  expect(JSON.parse(asked[0]?.prompt ?? "")).toMatchObject({
    open_findings: "- COR-000001: a.js It is wrong",
    answers: "You asked: Is it public?\nThe answer: Yes",
    end_sha: sha(2),
  });
});

test("consecutive commits of a person are reviewed together, as one range", async () => {
  const { context, asked, ends } = reviewing();
  const state = stateOf({ commits: COMMITS });
  const unit = `commit:${sha(2)}..${sha(3)}`;
  const step = { kind: "review-commit", first: sha(2), sha: sha(3), unit, reopens: 0 } as const;
  await reviewCommit(context, state, step);
  expect(asked[0]).toMatchObject({ startSha: sha(1), endSha: sha(3), unit });
  expect(ends()[0]).toMatchObject({ unit, checkpoint: sha(3), outcome: "reviewed" });
});

test("a finding at a line that does not exist is refused with a note; the others stay", async () => {
  const both = said(
    [
      "### Verdict: NEEDS_WORK",
      "1. **X-1**: Correctness - Here\n   - File: a.js:2\n   - Issue: Wrong.",
      "2. **X-2**: Correctness - Nowhere\n   - File: a.js:4\n   - Issue: Wrong.",
    ].join("\n\n"),
  );
  const { commit, ends, recordsOf } = reviewing([both]);
  await commit(2);
  expect(ends()[0]?.findings.map(({ brief }) => brief)).toEqual(["Here"]);
  expect(recordsOf("note")[0]?.text).toBe(
    "refused a finding at a.js:4, the file has 3 lines: Nowhere",
  );
});

test("an attempt whose findings are all at places that do not exist has failed", async () => {
  const { commit, ends, asked, recordsOf } = reviewing([found("Correctness", "a.js:4")]);
  await commit(2);
  expect(recordsOf("attempt.failed").map(({ reason }) => reason)).toEqual([
    "all findings of correctness are about places that there are not",
  ]);
  expect(asked.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(ends()[0]).toMatchObject({ outcome: "reviewed", findings: [] });
});
