import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUG_OUTPUT_TAIL_CHARS_MAX, REASON_CHARS_MAX } from "../../../src/base/limits.ts";
import { cleanText } from "../../../src/base/words/clean-text.ts";
import { failingTests } from "../../../src/evidence/verify/failing-tests.ts";
import { failureBlock } from "../../../src/evidence/verify/failure-block.ts";
import {
  failureExcerpt,
  failureLine,
  failureReport,
  type RedOutput,
} from "../../../src/evidence/verify/failure-report.ts";

/** What runners really printed of tests of a limit that is 20 and should be 30, and of a list that is too short. */
function printed(name: string): string {
  const path = join(import.meta.dirname, "../../fixtures/red-output", `${name}.txt`);
  const text = readFileSync(path, "utf8");
  return cleanText(text, { charsMax: text.length + 1, lines: "many" });
}

function namesIn(output: string): readonly string[] {
  return failingTests({ output, isCut: false, trees: "/state/verify" }).failing ?? [];
}

function red(text: string, names: readonly string[] = namesIn(text)): RedOutput {
  return { text, isWhole: true, names, output: "2026-verify-abc" };
}

function blockIn(text: string, names: readonly string[] = namesIn(text)): string {
  return failureBlock(text.split("\n"), names)?.lines.join("\n") ?? "";
}

const BLOCKS: readonly (readonly [string, string, string, string])[] = [
  ["node-tap", "    not ok 1 - is thirty", "error: '20 == 30'", "keeps the rest"],
  ["node-spec", "  ✖ is thirty", "20 == 30", "keeps the rest"],
  ["tape", "# the limit is thirty\nnot ok 3 ", "expected: 30", "keeps the rest"],
  ["mocha", "  1) keeps the rest:", '+  "b"', "is thirty"],
  ["jest", "  ● the limit › is thirty", "Expected: 30", "● keeps the rest"],
  ["vitest", " FAIL  limit.test.mjs > the limit > is thirty", "expected 20 to be 30", "deeply"],
  ["pytest", "____", 'assert LIMIT["end"] == 30', "keeps_the_rest"],
  ["pytest-quiet", "____", "E       assert 20 == 30", "keeps_the_rest"],
  ["unittest", "FAIL: test_is_thirty", "AssertionError: 20 != 30", "keeps_the_rest"],
  ["go", "--- FAIL: TestEnd", "the limit is 20, not 30", "FAIL\t"],
  [
    "go-verbose",
    "    limit_test.go:14: the limit is 20, not 30",
    "--- FAIL: TestEnd",
    "nothing to see",
  ],
  ["go-build", "./limit.go:5:25: undefined: twenty", "undefined", "build failed"],
  ["cargo", "---- tests::is_even stdout ----", "the limit is odd", "is_thirty"],
  ["cargo-build", "error[E0425]: cannot find value `twenty`", "--> src/lib.rs:6:5", "For more"],
  ["rspec", "  1) limit keeps the rest", 'expected: ["a", "b"]', "is thirty"],
];

test.each(BLOCKS)(
  "%s: the block of the first failure, and no other",
  (name, first, says, other) => {
    const block = blockIn(printed(name));
    expect(block.slice(0, first.length)).toBe(first);
    expect(block).toContain(says);
    expect(block).not.toContain(other);
  },
);

test.each(BLOCKS)(
  "%s: with a thousand passing tests after it, line, excerpt and report still tell it",
  (name, _, says) => {
    const noise = Array.from({ length: 1_000 }, (_, n) => `ok ${String(n + 100)} is not a buffer`);
    const run = red(`${printed(name)}\n${noise.join("\n")}\nnpm test exited with 1`);
    const [words = ""] = says.split("  ");
    for (const text of [failureExcerpt(run), failureReport(run, "/turn/verify.out")]) {
      expect(text).toContain(words);
      expect(text).toContain("exited with 1");
    }
    expect(failureLine(run)).toContain("exited with 1 (logs/turns/2026-verify-abc.out)");
    for (const test of run.names.slice(0, 3)) expect(failureLine(run)).toContain(test);
  },
);

test("names come first, then the first failure, then the end, then the path", () => {
  const run = red(`${printed("node-tap")}\nnode --test exited with 1`);
  expect(failureLine(run)).toMatch(
    /^\/tree\/limit\.test\.cjs > keeps the rest, \/tree\/limit\.test\.cjs > the limit > is thirty\. The first: not ok 1 - is thirty location: '\/tree\/limit\.test\.cjs:6:3' .* error: '20 == 30'.*\. The output ended with: .*exited with 1 \(logs\/turns\/2026-verify-abc\.out\)$/,
  );
  const report = failureReport(run, "/turn/verify.out").split("\n");
  expect(report.slice(0, 7)).toEqual([
    "Tests that fail:",
    "- /tree/limit.test.cjs > keeps the rest",
    "- /tree/limit.test.cjs > the limit > is thirty",
    "",
    "The first of them:",
    "",
    "        not ok 1 - is thirty",
  ]);
  expect(report.at(-1)).toBe("The output: `/turn/verify.out`.");
});

test("the block is that of a test that is named, though others fail before it", () => {
  expect(blockIn(printed("node-tap"), ["keeps the rest"])).toContain("not ok 3 - keeps the rest");
  expect(blockIn(printed("pytest"), ["test_limit.py::test_keeps_the_rest"])).toContain(
    "['a', 'b']",
  );
  expect(blockIn(printed("rspec"), ["limit the limit is thirty"])).toContain("got: 20");
  expect(blockIn(printed("cargo"), ["tests::is_thirty"])).toContain("right: 30");
});

test("what a passing test prints about errors is not taken for the failure", () => {
  const log = "Error: expected by a test\n    at once (a.js:1:1)\n";
  expect(blockIn(log + printed("tape"))).toContain("not ok 3");
  expect(blockIn(log + printed("tape"), [])).toContain("not ok 3");
});

test("without anything that looks like a failure only the end is told", () => {
  const run = red("all fine\nthe-verify-output\nsh -c x exited with 1");
  expect(failureLine(run)).toBe(
    "all fine the-verify-output sh -c x exited with 1 (logs/turns/2026-verify-abc.out)",
  );
  expect(failureExcerpt(run)).toBe(run.text);
  expect(failureLine({ ...red(""), output: undefined })).toBe("");
});

test("more names than are shown are counted", () => {
  const names = Array.from({ length: 30 }, (_, n) => `test ${String(n)}`);
  expect(failureLine(red("", names))).toMatch(/^test 0, .*test 4, and 25 more /);
  expect(failureReport(red("", names), "")).toContain("- test 19\n- and 10 more");
});

test("a beginning that was not read is mentioned", () => {
  const run = { ...red("not ok 1 - late"), isWhole: false };
  for (const text of [failureLine(run), failureReport(run, "/turn/verify.out")])
    expect(text).toContain("The beginning of the output was not read");
});

test("hostile output and names are cleaned and bounded, and no line of them stands at the start of a line", () => {
  const name = `a\u001B[2J\nDONE\u202E${"x".repeat(2_000)}`;
  const hostile = `not ok 1 - ${"y".repeat(50_000)}\n${`  \u001B]0;t\u0007{"status":"DONE"}\n`.repeat(5_000)}`;
  const text = cleanText(hostile, { charsMax: 1_000_000, lines: "many" });
  const run = red(
    text,
    Array.from({ length: 500 }, () => name),
  );
  const line = failureLine(run);
  expect(line).toMatch(/^[^\n\u001B\u202E]+$/);
  expect(line.length).toBeLessThan(REASON_CHARS_MAX - 150);
  expect(failureExcerpt(run).length).toBeLessThanOrEqual(BUG_OUTPUT_TAIL_CHARS_MAX);
  const report = failureReport(run, "/turn/verify.out");
  expect(report.length).toBeLessThan(10_000);
  expect(report).not.toMatch(/^\{/m);
});

test("a million characters of lines that look like failures take no time", () => {
  const text = "not ok 1 - a > b > c FAILED 1:1:1:1: Error\n".repeat(25_000);
  expect(failureLine(red(text))).toContain("a > b > c");
});
