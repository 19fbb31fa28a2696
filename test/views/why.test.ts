import { expect, test } from "vitest";
import { plainText } from "../../src/views/rows/row.ts";
import { commitStory, isMadeIn } from "../../src/views/why/commit-story.ts";
import { whyRows, type WhyView } from "../../src/views/why/why-view.ts";
import { itemStory } from "../../src/views/why/item-story.ts";
import { milestoneStory } from "../../src/views/why/milestone-story.ts";
import { namedInSession } from "../../src/views/why/named-in-session.ts";
import { sha } from "../rig/records.ts";
import { knownFrom, writtenSession } from "../rig/written-session.ts";

const { known } = knownFrom(writtenSession());

const ABOUT = {
  ...({ schema: "wisp.why/1", asked: "it", session: "demo", branch: "wisp/demo" } as const),
  ...{ searched: ["demo"], unread: [] },
};

function commitText(n: number, files: readonly string[] = ["src/parse.js"]): string {
  const git = { subject: "Parse rows", author: "Ada", time: "2026-11-20T12:00:00Z", files };
  const story = commitStory(known, sha(n), files);
  const of = { kind: "commit", line: null, sha: sha(n), git, story } as const;
  return plainText(whyRows({ ...ABOUT, ...of }));
}

test("a commit's story names its unit, turn, model, usage, output, tasks and milestone", () => {
  const text = commitText(1);
  expect(text).toContain('Made by the builder, building "API"\n');
  expect(text).toMatch(
    /turn of claude \(opus\), attempt 1: began .+, ended after 1m 0s; 1\.2k tokens, 0\.50 USD\n {4}logs\/turns\/turn-1\.out/u,
  );
  expect(text).toContain('task 1 of "API": Parse rows');
  expect(commitStory(known, sha(1), []).milestone).toBe("API");
});

test("a commit is covered by the review and the test of the milestone in whose range it is", () => {
  const { reviews, tests } = commitStory(known, sha(2), undefined);
  expect([...reviews, ...tests].map(({ unit }) => unit)).toEqual([
    `review:API:${sha(3)}`,
    `test:API:${sha(3)}`,
  ]);
});

test("a commit's findings are those in files that it changes, each with its end; others are counted", () => {
  const { findings, otherFindings } = commitStory(known, sha(1), ["src/parse.js"]);
  expect(findings.map(({ id, state }) => `${id} ${state}`)).toEqual([
    "COR-000001 closed",
    "BUG-00000a dismissed",
  ]);
  expect(otherFindings).toBe(1);
  expect(commitText(1)).toContain("closed COR-000001: the fix 0000000000 holds");
});

test("verify at the commit itself is told apart from the next run at a later one", () => {
  expect(commitStory(known, sha(5), []).verifies.map(({ kind }) => kind)).toEqual([
    "verify.result",
  ]);
  expect(commitStory(known, sha(5), []).nextVerify).toBeNull();
  expect(commitStory(known, sha(2), []).verifies).toEqual([]);
  expect(commitStory(known, sha(2), []).nextVerify?.text).toBe("verify passed at 0000000000");
});

test("a fix's story names what it fixed, and how that was judged", () => {
  const { making, reviews } = commitStory(known, sha(4), []);
  expect(making?.fixes.map(({ id }) => id)).toEqual(["COR-000001"]);
  expect(reviews.map(({ text }) => text)).toEqual([
    "COR-000001 is not fixed by 0000000000: the last row is still dropped",
  ]);
});

test("a commit on the branch that no unit names is somebody else's", () => {
  expect(isMadeIn(known, sha(6))).toBe(false);
  expect(commitText(6)).toContain(
    "Ada wrote it, and no turn of the session is on record as having made it. " +
      "It is on the session's branch: a person or another program put it there.",
  );
  expect(commitText(0)).toContain("The session began at it.");
});

test("a commit that no record names is said to be in none of the searched sessions", () => {
  const git = { subject: "x", author: "Ada", time: "2026-11-20T12:00:00Z", files: [] };
  const nobody: WhyView = {
    ...{ ...ABOUT, session: null, branch: null, searched: ["b", "a"] },
    ...({ kind: "commit", line: null, sha: sha(9), git, story: null } as const),
  };
  expect(plainText(whyRows(nobody))).toContain(
    "No record of any of the 2 sessions of this repository names this commit: no turn is known to have made it.",
  );
});

test("without a branch, a commit is still found by the unit that made it", () => {
  const { known: alone } = knownFrom(writtenSession(), false);
  const story = commitStory(alone, sha(1), undefined);
  expect(story.isOnBranch).toBeNull();
  expect(story.making?.unit).toBe("build:API:1");
  expect(story.reviews.map(({ kind }) => kind)).toEqual(["review.end"]);
});

test("a finding's story has its opening, each fix with its turn, each judgement, in order", () => {
  const story = itemStory(known, "COR-000001");
  const kinds = [
    ...(story?.openings ?? []),
    ...(story?.fixes ?? []),
    ...(story?.rechecks ?? []),
  ].map(({ kind, turns }) => `${kind} ${String(turns.length)}`);
  expect(kinds).toEqual(["review.end 1", "fix.end 1", "fix.end 1", "verify.end 0", "verify.end 0"]);
  expect(story?.state).toBe("closed");
  expect(itemStory(known, "SIM-000002")?.state).toBe("open");
});

test("a dismissed bug's story has the person's reason", () => {
  const story = itemStory(known, "BUG-00000a");
  expect(story?.decisions.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    "human: dismissed BUG-00000a: not a defect",
    "tester: dismissed BUG-00000a, as you asked",
  ]);
});

test("a milestone's story has tasks, range, attempts, commits, review, test, window, fixes and usage", () => {
  const story = milestoneStory(known, "API");
  expect(story.tasks).toEqual([
    { text: "Parse rows", isTicked: true },
    { text: "Print rows", isTicked: true },
  ]);
  expect(story.range).toEqual({ name: "API", start: sha(0), end: sha(3) });
  expect(story.attempts.map(({ unit }) => unit)).toEqual(["build:API:1", "build:API:2"]);
  expect(story.commits.map((commit) => commit.sha)).toEqual([sha(1), sha(2), sha(3)]);
  const parts = [story.reviews, story.tests, story.windows, story.fixes, story.findings];
  expect(parts.map(({ length }) => length)).toEqual([1, 1, 1, 2, 3]);
  expect(story.spent).toMatchObject({ turns: 5, costUsd: 2.5 });
});

test("a planned milestone has nothing on record but its tasks", () => {
  const text = plainText(
    whyRows({ ...ABOUT, kind: "milestone", story: milestoneStory(known, "Docs") }),
  );
  expect(text).toContain("Its end is not on record.\nNo turn for it is on record.");
  expect(text).toContain("[ ] Say how");
  expect(text).toContain("No attempt at it is on record.");
});

test("a word names an id or its beginning, a milestone in any case, and recorded commits", () => {
  expect(namedInSession(known, "cor-0").items).toEqual(["COR-000001"]);
  expect(namedInSession(known, "COR-000001").items).toEqual(["COR-000001"]);
  expect(namedInSession(known, "api").milestones).toEqual(["API"]);
  expect(namedInSession(known, "AP").milestones).toEqual([]);
  expect(namedInSession(known, sha(2).slice(0, 39)).commits).toContain(sha(2));
  expect(namedInSession(known, sha(2)).commits).toEqual([sha(2)]);
  // A tree is no commit.
  expect(namedInSession(known, sha(105)).commits).toEqual([]);
});

test("what could not be read is told with every explanation", () => {
  const story = milestoneStory(known, "API");
  const unread = Array.from({ length: 12 }, (_, n) => `logs/builder.log: gap ${String(n)}`);
  const text = plainText(whyRows({ ...ABOUT, unread, kind: "milestone", story }));
  expect(text).toContain(
    "The record has gaps, so there may be more than is told here\n  logs/builder.log: gap 0\n",
  );
  expect(text).toMatch(/And 2 more places: wisp fsck\.$/u);
});

test("hostile text of a record does not reach the terminal", () => {
  const { known: hostile } = knownFrom(writtenSession("\u001b[31mred\u202e\nforged"));
  const story = milestoneStory(hostile, "API");
  const text = plainText(whyRows({ ...ABOUT, kind: "milestone", story }));
  expect(text).toContain("[x] red forged\n");
  expect(text).not.toMatch(/[\u001b\u202e]/u);
});
