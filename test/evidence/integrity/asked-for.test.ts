import { expect, test } from "vitest";
import { isAskedFor } from "../../../src/evidence/integrity/asked-for.ts";

const SUM = { file: "test/sum.test.js", titles: ["the sum of nothing is empty"] };

test.each([
  "Correct test/sum.test.js",
  "[test] Make sum.test.js faster",
  'Drop the rule "the sum of nothing is empty"',
  "[refactor] Rename the sums",
  "Change what an empty list comes to",
])("the task %j asks for a change of the test", (task) => {
  expect(isAskedFor(["Add a parser", task], SUM)).toBe(true);
});

test.each([
  "Sum a list of durations",
  "[feature] Sum",
  "Remove the command line",
  "[test] Cover the parser",
  "Rewrite the README",
])("the task %j does not ask for a change of the test", (task) => {
  expect(isAskedFor([task], SUM)).toBe(false);
});
