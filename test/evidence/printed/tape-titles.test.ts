import { expect, test } from "vitest";
import { failuresIn } from "../../../src/evidence/printed/all-printed.ts";

const FAILED = String.raw`not ok 2 should be strictly equal
  ---
    operator: equal
    expected: 2
    actual:   1
    at: Test.<anonymous> (test/parse.js:9:12)
  ...`;

test("with tape, a failure after a test that passed has its own test's title", () => {
  const output = `# parses a list\nok 1 is a list\n# keeps what is empty\n${FAILED}\n`;
  expect([...failuresIn(output).keys()]).toEqual([
    "test/parse.js > keeps what is empty > should be strictly equal",
  ]);
});

test("with tape, failures of the same words in two tests are two", () => {
  const output = `# one\n${FAILED}\n# skipped\n# two\nok 3 fine\n# three\n${FAILED}\n`;
  expect([...failuresIn(output).keys()]).toEqual([
    "test/parse.js > one > should be strictly equal",
    "test/parse.js > three > should be strictly equal",
  ]);
});
