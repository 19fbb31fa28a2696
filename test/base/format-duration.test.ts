import { expect, test } from "vitest";
import {
  formatDuration,
  formatElapsed,
  formatTimeLeft,
} from "../../src/base/words/format-duration.ts";

test.each([
  [-5, "0s"],
  [400, "0s"],
  [4_400, "4s"],
  [59_700, "1m 0s"],
  [80_000, "1m 20s"],
  [3_599_000, "59m 59s"],
  [7_500_000, "2h 5m"],
])("formats %d ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [-5, "0s"],
  [400, "1s"],
  [59_100, "1m 0s"],
  [79_500, "1m 20s"],
  [120_000, "2m 0s"],
  [120_001, "3m"],
  [594_000, "10m"],
  [3_540_001, "1h 0m"],
  [7_140_001, "2h 0m"],
])("formats %d ms that are left as at most %s", (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});

test.each([
  [-5, "0s"],
  [999, "0s"],
  [79_500, "1m 19s"],
  [119_999, "1m 59s"],
  [120_000, "2m"],
  [179_999, "2m"],
  [3_599_999, "59m"],
  [3_600_000, "1h 0m"],
  [7_199_999, "1h 59m"],
])("formats %d ms that have passed as at least %s", (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
