import { expect, test } from "vitest";
import { redBefore } from "../../../src/evidence/integrity/try-old-tests.ts";
import {
  failureCounts,
  failuresBeyond,
  mostFailures,
} from "../../../src/evidence/verify/failure-counts.ts";

const red = (failing: readonly string[], times?: number[]) =>
  ({ outcome: "failed", failing, tally: { rules: 2, times } }) as const;

test("a test counts as often as it failed, and once where no number is on record", () => {
  expect([...failureCounts(red(["a", "b"], [2, 1]))]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  expect([...failureCounts(red(["a"]))]).toEqual([["a", 1]]);
  expect([...failureCounts({ failing: ["a"] })]).toEqual([["a", 1]]);
  expect([...failureCounts({ failing: undefined })]).toEqual([]);
});

test("of several results the largest number is allowed, and what is beyond it is named", () => {
  const most = mostFailures([failureCounts(red(["a"])), failureCounts(red(["a", "b"], [3, 1]))]);
  expect(failuresBeyond(failureCounts(red(["a", "b"], [3, 1])), most)).toEqual([]);
  expect(failuresBeyond(failureCounts(red(["a", "b", "c"], [4, 1, 1])), most)).toEqual(["a", "c"]);
});

test("old tests: a test that was red before the range is excused as often as it failed there", () => {
  const { counts } = redBefore(failureCounts(red(["a"])), [red(["b"], [2]), undefined]);
  expect(failuresBeyond(failureCounts(red(["a", "b"], [1, 2])), counts)).toEqual([]);
  expect(failuresBeyond(failureCounts(red(["a", "b"], [2, 2])), counts)).toEqual(["a"]);
});
