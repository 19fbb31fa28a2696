import { expect, test } from "vitest";
import { testerProjections } from "../../../src/agents/tester/projections.ts";
import { EMPTY_JUDGE, foldJudge } from "../../../src/fs-protocol/fold-judge.ts";
import { homeAt } from "../../../src/fs-protocol/home.ts";
import type { TesterRecord } from "../../../src/fs-protocol/tester-log.ts";
import { finding, reviewer, sha, tester } from "../../rig/records.ts";

const home = homeAt("/home");

/** Where a record of a fresh log puts what. */
function placesOf(record: TesterRecord) {
  const after = foldJudge(EMPTY_JUDGE, record);
  return testerProjections(home)(record, EMPTY_JUDGE, after).map(({ path, text }) => [path, text]);
}

test("a milestone that was tested stands in tester.milestone, after its bugs in BUGS.md", () => {
  const places = placesOf(tester.test("One", { bugs: [finding("BUG-000001")] }));
  expect(places).toEqual([
    [home.bugs, `OPEN BUG-000001 blocking - It is wrong [test:One:${sha(9)}]\n`],
    [home.testerMilestone, "One\n"],
  ]);
});

test("a final pass stands in tester.final with the HEAD it saw", () => {
  const [[path, text] = []] = placesOf(tester.final(2));
  expect(path).toBe(home.testerFinal);
  expect(text).toContain(sha(9));
});

test("what was given up is answered, and told from what was tested", () => {
  const [[path, text] = []] = placesOf(tester.test("One", { outcome: "gaveup" }));
  expect(path).toBe(home.testerMilestone);
  expect(text).not.toBe("One\n");
});

test.each(["needs_input", "blocked"] as const)("a question (%s) changes no file", (outcome) => {
  const question = { question: "tester-1", ask: "Why?" };
  expect(placesOf(tester.test("One", { outcome, ...question }))).toEqual([]);
});

test("the last fix of a bug that is not accepted is a failed fix in PROGRESS.txt", () => {
  const bug = finding("BUG-000001");
  const before = foldJudge(EMPTY_JUDGE, tester.test("One", { bugs: [bug] }));
  const verdict = { ...reviewer.verify(bug.id, "gaveup", { reason: "crashed" }), exhausted: 2 };
  const [entry] = testerProjections(home)(verdict, before, foldJudge(before, verdict));
  expect(entry?.path).toBe(home.progress);
  expect(entry?.text).toContain("1 of 2 (exhausted)");
});
