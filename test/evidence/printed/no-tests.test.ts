import { expect, test } from "vitest";
import { failedForNoTests, saysNoTests } from "../../../src/evidence/printed/no-tests.ts";

/** What runners print where there is no test, and their exit code. */
const WITHOUT: readonly (readonly [string, string, number])[] = [
  [
    "npm's placeholder",
    '\n> a@1.0.0 test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified\n',
    1,
  ],
  ["pytest", "collected 0 items\n\n=========== no tests ran in 0.01s ===========\n", 5],
  ["pytest -q", "\nno tests ran in 0.00s\n", 5],
  ["pytest, in a make", "no tests ran in 0.00s\nmake: *** [Makefile:2: test] Error 5\n", 2],
  ["unittest", "\n------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n", 5],
  [
    "jest",
    "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\nIn /a\n  2 files checked.\n",
    1,
  ],
  ["vitest", "No test files found, exiting with code 1\n\ninclude: **/*.test.ts\n", 1],
  ["mocha", 'Error: No test files found: "test"\n', 1],
  ["ava", "  ✘ Couldn’t find any files to test\n", 1],
  ["Playwright", "Error: No tests found\n", 1],
  ["deno", "error: No test modules found\n", 1],
  ["bun", 'No tests found!\n\nTests need ".test", "_test_" in the filename\n', 1],
  ["cargo nextest", "error: no tests to run\n", 4],
  ["PHPUnit", "PHPUnit 11.0\n\nNo tests executed!\n", 1],
];

test.each(WITHOUT)("%s fails because there is no test", (_, output, exitCode) => {
  expect(failedForNoTests(output, exitCode)).toBe(true);
});

test.each([
  ["go", "?   \texample.com/a\t[no test files]\n?   \texample.com/a/b\t[no test files]\n"],
  ["go, a package with an empty file of tests", "ok  \texample.com/a\t0.001s [no tests to run]\n"],
  ["jest --passWithNoTests", "No tests found, exiting with code 0\n"],
  ["vitest --passWithNoTests", "No test files found, exiting with code 0\n"],
  ["ctest", "No tests were found!!!\n"],
  ["RSpec", "No examples found.\n\n\nFinished in 0.0002 seconds\n"],
])("%s says that there is no test, and passes", (_, output) => {
  expect(saysNoTests(output)).toBe(true);
  expect(failedForNoTests(output, 1)).toBe(false);
});

test.each([
  ["go, where one package has tests", "ok  \ta/b\t0.1s\n?   \ta/c\t[no test files]\n", 0],
  [
    "go, where one package does not build",
    "FAIL\ta/b [build failed]\n?  a/c\t[no test files]\n",
    1,
  ],
  ["pytest, and a linter that fails after it", "no tests ran in 0.00s\nbad.py:1: E1\n", 1],
  ["jest, and a compiler that fails after it", "No tests found, exiting with code 0\nTS2304\n", 2],
  ["a sentence about tests", "There were no tests found, exiting with code 1\n", 1],
  ["nothing", "", 1],
])("%s is no suite without tests", (_, output, exitCode) => {
  expect(failedForNoTests(output, exitCode)).toBe(false);
});
