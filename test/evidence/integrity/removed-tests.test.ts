import { expect, test } from "vitest";
import { isCountedAnew } from "../../../src/evidence/integrity/counted-checks.ts";
import { compareTests } from "../../../src/evidence/integrity/compare-tests.ts";
import { failedByFile } from "../../../src/evidence/integrity/failed-tests.ts";
import { removedCount } from "../../../src/evidence/integrity/removed-tests.ts";

const FILE = "test/a.test.js";
const testOf = (title: string, body = "assert.equal(one(), 1)") =>
  `test("${title}", () => { ${body}; });\n`;

function removedBy(before: string, after: string, file = FILE): number | undefined {
  const [one, other] = [new Map([[file, before]]), new Map([[file, after]])];
  return removedCount({
    ...{ tampering: compareTests(one, other), before: one, old: [file] },
    isCountedAnew: isCountedAnew(one, other),
  });
}

test.each([
  ["nothing", testOf("a") + testOf("b"), testOf("b") + testOf("a"), 0],
  ["one deleted", testOf("a") + testOf("b", "assert.ok(two() > 7)"), testOf("a"), 1],
  ["one skipped", testOf("a"), testOf("a").replace("test(", "test.skip("), 1],
  ["a new one", testOf("a"), testOf("a") + testOf("b"), 0],
])("%s: counts what a range removed or skipped", (_, before, after, count) => {
  expect(removedBy(before, after)).toBe(count);
});

test.each([
  ["a table", testOf("a", "for (const n of rows) assert.equal(n, 1)"), "", FILE],
  [
    "a focused test",
    testOf("a") + testOf("b"),
    testOf("a") + testOf("b").replace("test(", "test.only("),
    FILE,
  ],
  ["another language", "(ert-deftest a () (should t))", "", "test/a-test.el"],
])("%s: it cannot be told how many tests a runner counts less", (_, before, after, file) => {
  expect(removedBy(before, after, file)).toBeUndefined();
});

const TAPE = 'const test = require("tape");\n';
const checked = (...checks: readonly string[]) =>
  `${TAPE}${testOf("a", checks.map((check) => `t.${check}`).join("; "))}`;

test.each([
  [
    "deletes a test",
    `${checked("equal(one(), 1)", "ok(two())")}${testOf("b")}`,
    TAPE + testOf("b"),
  ],
  ["drops a check", checked("equal(one(), 1)", "notOk(two())"), checked("equal(one(), 1)")],
  ["leaves the runner", checked("ok(one())"), testOf("a", "t.assert.ok(one())")],
  ["skips a test", checked("ok(one())"), checked("ok(one())").replace("test(", "test.skip(")],
])("%s: it cannot be told how many checks a runner counts less", (_, before, after) => {
  expect(removedBy(before, after)).toBeUndefined();
});

test("what leaves all checks there removes nothing, also where a runner counts checks", () => {
  const before = checked("equal(one(), 1)", "ok(two())");
  expect(removedBy(before, before + testOf("b"))).toBe(0);
  expect(removedBy(before, before.replace("one(), 1", "one(), 2"))).toBe(0);
});

test("a failing test belongs to the file that its runner prints, even if others have tests of its name", () => {
  const text = testOf("empty input");
  const files = ["packages/one/test/a.test.js", "packages/one/test/b.test.js"];
  const failed = failedByFile({
    failing: ["test/b.test.js > empty input", "a group > empty input"],
    before: new Map(files.map((file) => [file, text])),
    ...{ old: files, commands: new Map(), harness: [] },
  });
  expect(failed.map(({ file, names }) => [file, names])).toEqual([
    ["packages/one/test/b.test.js", ["test/b.test.js > empty input"]],
    ["packages/one/test/a.test.js", ["a group > empty input"]],
  ]);
});
