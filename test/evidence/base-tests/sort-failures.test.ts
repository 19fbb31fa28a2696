import { expect, test } from "vitest";
import { baseTestsBugs } from "../../../src/evidence/rules/base-tests.ts";
import { sortFailures } from "../../../src/evidence/base-tests/sort-failures.ts";
import type { FailedTests } from "../../../src/evidence/integrity/failed-tests.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { findingId } from "../../../src/fs-protocol/findings/finding-id.ts";
import { human, sha, tester } from "../../rig/records.ts";
import { stateOf } from "../../agents/memory-role.ts";

const FILE = "test/sum.test.js";
const changed = { before: new Map([[FILE, 'test("adds numbers", () => {});\n']]) };
const failed = (...names: string[]): FailedTests[] => [{ file: FILE, names }];

/** The bugs of a final pass, in a session in which these were found, and dismissed, before. */
function passed(
  tests: readonly FailedTests[],
  dismissed: readonly Finding[] = [],
  open: readonly Finding[] = [],
) {
  const state = stateOf({
    human: dismissed.map(({ id }) => human.dismiss(id)),
    tester: [
      tester.final(1, { bugs: [...dismissed, ...open] }),
      ...dismissed.map(({ id }, index) => tester.adopt(index, id)),
    ],
  });
  const sorted = sortFailures(state, { passages: [], changed, failed: tests });
  const red = { text: "", isWhole: true, names: [], output: undefined };
  const seen = { base: sha(0), at: sha(1), ran: { red }, known: state.tester };
  return { ...sorted, bugs: baseTestsBugs({ blamed: sorted.blamed, ...seen }) };
}

test("a dismissal excuses only the tests that the bug names; others become a new bug", () => {
  const [bug] = passed(failed("adds numbers")).bugs;
  if (bug === undefined) throw new Error("there is no bug");
  const again = passed(failed("adds numbers"), [bug]);
  expect(again.bugs).toEqual([]);
  expect(again.dismissed).toEqual([{ file: FILE, names: ["adds numbers"], why: "not a defect" }]);
  const more = passed(failed("adds numbers", "takes zero"), [bug]);
  expect(more.bugs.map(({ computed }) => computed?.names)).toEqual([["takes zero"]]);
  expect(more.bugs[0]?.id).not.toBe(bug.id);
  const elsewhere = passed([{ file: "test/other.test.js", names: ["adds numbers"] }], [bug]);
  expect(elsewhere.bugs).toHaveLength(1);
});

test("a dismissal of a failure that named no test excuses no test by its name", () => {
  const [bug] = passed(failed()).bugs;
  if (bug === undefined) throw new Error("there is no bug");
  expect(bug.computed?.names).toEqual([]);
  expect(passed(failed(), [bug]).bugs).toEqual([]);
  expect(passed(failed("adds numbers"), [bug]).bugs).toHaveLength(1);
});

test("tests that an open bug names are not reported again, and repeated runs give the same bugs", () => {
  const first = passed(failed("adds numbers")).bugs;
  expect(passed(failed("adds numbers")).bugs).toEqual(first);
  const second = passed(failed("adds numbers", "takes zero"), [], first).bugs;
  expect(second.map(({ computed }) => computed?.names)).toEqual([["takes zero"]]);
});

test("only computed findings cover tests, whatever the ids of others", () => {
  const id = findingId({
    kind: "bug",
    category: "Tests",
    file: FILE,
    anchor: undefined,
    brief: "x",
  });
  const [bug] = passed(failed("adds numbers")).bugs;
  if (bug === undefined) throw new Error("there is no bug");
  const { computed, ...said } = bug;
  expect(computed).toBeDefined();
  expect(passed(failed("adds numbers"), [{ ...said, id }]).bugs).toHaveLength(1);
});

test.each([
  ["Change how `sum.test.js` rounds.", ["adds numbers"]],
  ["It adds numbers no more.", ["adds numbers"]],
  ["Replace addition in sums.", ["adds numbers"]],
  ["Keep everything as it is.", []],
  ["Update the README.", []],
])("the request excuses failures that it mentions: %s", (passage, names) => {
  const sorted = sortFailures(stateOf(), {
    passages: [passage],
    changed,
    failed: failed("adds numbers"),
  });
  expect(sorted.asked.flatMap((test) => test.names)).toEqual(names);
  expect(sorted.blamed).toHaveLength(1 - names.length);
});

test("a request that names no file does not excuse a failure whose file is unknown", () => {
  const sorted = sortFailures(stateOf(), {
    passages: ["Change `test/sum.test.js` and all that."],
    changed,
    failed: [{ file: undefined, names: [] }],
  });
  expect(sorted.blamed).toHaveLength(1);
});

test("many failing tests of one file become several bugs, each as large as possible", () => {
  const names = Array.from({ length: 120 }, (_, index) => `test ${String(index)}`);
  const { bugs } = passed(failed(...names));
  expect(bugs.flatMap(({ computed }) => computed?.names ?? [])).toEqual(names);
  expect(new Set(bugs.map(({ id }) => id)).size).toBe(3);
});
