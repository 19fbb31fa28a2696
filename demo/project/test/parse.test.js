import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../src/parse.js";

test("a number and a unit are a duration", () => {
  assert.equal(parseDuration("45s"), 45_000);
  assert.equal(parseDuration("90m"), 5_400_000);
  assert.equal(parseDuration("2h"), 7_200_000);
  assert.equal(parseDuration("1d"), 86_400_000);
});

test("a number without a unit is no duration", () => {
  assert.throws(() => parseDuration("90"), RangeError);
});
