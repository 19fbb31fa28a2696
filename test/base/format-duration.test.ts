import { expect, test } from "vitest";
import { formatDuration } from "../../src/base/words/format-duration.ts";

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
