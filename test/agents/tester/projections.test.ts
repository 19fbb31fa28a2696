import { expect, test } from "vitest";
import { testerProjections } from "../../../src/agents/tester/projections.ts";
import { EMPTY_JUDGE, foldJudge } from "../../../src/session/state/fold-judge.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import type { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import { finding, reviewer, sha, tester } from "../../rig/records.ts";

/** For a session whose PROGRESS.txt has only reviews, fixes and final failures. */
const FIRST_FORM = { policy: DEFAULT_POLICY };
const home = homeAt("/home");

/** The projections of a record of a fresh log. */
function placesOf(record: TesterRecord) {
  const after = foldJudge(EMPTY_JUDGE, record);
  return testerProjections(home, FIRST_FORM)(record, EMPTY_JUDGE, after).map(({ path, text }) => [
    path,
    text,
  ]);
}

test("a tested milestone is written to tester.milestone, after its bugs to PROGRESS.txt and BUGS.md", () => {
  const shown = { command: "npm test", output: `1\n${"x".repeat(400)}\n(it exited with 1)` };
  const bugs = [finding("BUG-000001", shown), finding("BUG-000002")];
  const [progress, ...places] = placesOf(tester.test("One", { bugs }));
  expect(progress?.[0]).toBe(home.progress);
  expect(progress?.[1]).toMatch(
    /^\[Review\] .* - tester \(blocking\)\n\n### Verdict: NEEDS_WORK\n/,
  );
  expect(progress?.[1]).toContain("   - Command: npm test\n   - Output: 1\n     xxx");
  expect(places).toEqual([
    [home.bugs, `OPEN BUG-000001 blocking - It is wrong [test:One:${sha(9)}]\n`],
    [home.bugs, "    $ npm test\n"],
    [home.bugs, `    > … ${"x".repeat(281)} (it exited with 1)\n`],
    [home.bugs, `OPEN BUG-000002 blocking - It is wrong [test:One:${sha(9)}]\n`],
    [home.testerMilestone, "One\n"],
  ]);
});

test("a final pass is written to tester.final with the HEAD that it tested", () => {
  const [[path, text] = []] = placesOf(tester.final(2));
  expect(path).toBe(home.testerFinal);
  expect(text).toContain(sha(9));
});

test("a unit that gave up counts as answered, but is distinguished from one that was tested", () => {
  const [[path, text] = []] = placesOf(tester.test("One", { outcome: "gaveup" }));
  expect(path).toBe(home.testerMilestone);
  expect(text).not.toBe("One\n");
});

test.each(["needs_input", "blocked"] as const)("a question (%s) changes no file", (outcome) => {
  const question = { question: "tester-1", ask: "Why?" };
  expect(placesOf(tester.test("One", { outcome, ...question }))).toEqual([]);
});

test("the rejected last fix of a bug is a failed fix in PROGRESS.txt", () => {
  const bug = finding("BUG-000001");
  const before = foldJudge(EMPTY_JUDGE, tester.test("One", { bugs: [bug] }));
  const verdict = {
    ...reviewer.verify(bug.id, "gaveup", { attempt: 2, reason: "crashed" }),
    exhausted: 2,
  };
  const [entry] = testerProjections(home, FIRST_FORM)(verdict, before, foldJudge(before, verdict));
  expect(entry?.path).toBe(home.progress);
  expect(entry?.text).toContain("2 of 2 (exhausted)");
});
