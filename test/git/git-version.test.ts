import { expect, test } from "vitest";
import { isAtLeast } from "../../src/git/command/git-version.ts";

test.each([
  ["2.39.5", "2.30", true],
  ["2.30", "2.30", true],
  ["2.30.0.windows.1", "2.30", true],
  ["2.9.5", "2.30", false],
  ["3.0", "2.30", true],
  ["2", "2.30", false],
  ["", "2.30", false],
])("whether %s is at least %s: %s", (version, least, is) => {
  expect(isAtLeast(version, least)).toBe(is);
});
