import { expect, test } from "vitest";
import { sinceMs } from "../../src/views/timeline/since.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

test.each([
  ["30m", NOW - 30 * 60_000],
  ["2h", NOW - 2 * 3_600_000],
  ["1d", NOW - 86_400_000],
  ["2026-11-20T10:00:00Z", Date.parse("2026-11-20T10:00:00Z")],
  ["2026-11-20T10:00:00+02:00", Date.parse("2026-11-20T08:00:00Z")],
  ["2026-11-20T10:00", new Date(2026, 10, 20, 10).getTime()],
  ["2026-11-20", new Date(2026, 10, 20).getTime()],
] as const)("%s is a time or a duration back from now", (text, expected) => {
  expect(sinceMs(text, NOW)).toBe(expected);
});

test.each([
  "",
  "yesterday",
  "2",
  "h",
  "-2h",
  "0m",
  "2026-02-31",
  "2026-13-01T00:00",
  "2h 5m",
  "1w",
])("'%s' is neither", (text) => {
  expect(sinceMs(text, NOW)).toBeUndefined();
});
