import { expect, test } from "vitest";
import { testPathMatcher } from "../../../src/evidence/verify/test-paths.ts";

const isTest = testPathMatcher(["test/**", "**/*.test.*", "**/__tests__/**"]);

test.each([
  "test/a.js",
  "test/deep/er/a.txt",
  "test/.hidden/a",
  "Test/a.js",
  "src/a.test.ts",
  "a.TEST.js",
  "src/__tests__/a.ts",
])("%s is a test", (path) => {
  expect(isTest(path)).toBe(true);
});

test.each([
  "src/a.ts",
  "tests.js",
  "testing/a.js",
  "src/test/a.js",
  "package.json",
  ".github/workflows/test.yml",
])("%s is no test", (path) => {
  expect(isTest(path)).toBe(false);
});

test("without globs, nothing may be committed", () => {
  expect(testPathMatcher([])("test/a.js")).toBe(false);
});
