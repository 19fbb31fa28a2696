import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fallOf, testCount } from "../../../src/evidence/harness/test-counts.ts";
import { toolEnvironment } from "../../rig/own-environment.ts";

test.each<readonly [string, string, number | undefined]>([
  [
    "node --test, TAP",
    "TAP version 13\n# tests 5\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n",
    4,
  ],
  ["node --test, spec", "ℹ tests 5\nℹ suites 1\nℹ pass 5\nℹ fail 0\nℹ cancelled 0\n", 5],
  [
    "vitest",
    " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 4 passed | 2 skipped (7)\n",
    5,
  ],
  ["vitest, all passed", " Test Files  2 passed (2)\n      Tests  4 passed (4)\n", 4],
  [
    "jest",
    "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 4 passed, 7 total\nSnapshots:   0 total\n",
    5,
  ],
  ["mocha", "\n  4 passing (5ms)\n  2 pending\n  1 failing\n", 5],
  ["pytest", "==== 1 failed, 4 passed, 2 skipped in 0.12s ====\n", 5],
  ["pytest -q", "....\n4 passed in 0.01s\n", 4],
  ["pytest of an hour", "=== 4 passed, 1 warning in 3700.12s (1:01:40) ===\n", 4],
  ["pytest, nothing", "no tests ran in 0.00s\n", 0],
  ["unittest", "Ran 5 tests in 0.001s\n\nOK\n", 5],
  [
    "go test -v",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n--- SKIP: TestC (0.00s)\nok  \tx\t0.1s\n",
    2,
  ],
  [
    "go test -json",
    '{"Time":"x","Action":"run","Test":"TestA"}\n{"Time":"x","Action":"pass","Package":"x","Test":"TestA","Elapsed":0}\n{"Action":"pass","Package":"x"}\n',
    1,
  ],
  ["go test, which does not say", "ok  \tx\t0.1s\n", undefined],
  [
    "cargo test, of several targets",
    "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\ntest result: ok. 2 passed; 0 failed; 0 ignored;\n",
    7,
  ],
  ["cargo nextest", "     Summary [   0.1s] 5 tests run: 5 passed, 0 skipped\n", 5],
  ["parts of several packages", "      Tests  4 passed (4)\n      Tests  2 passed (2)\n", 6],
  ["anything else", "all is well\nTests of life: 12 passed\n", undefined],
])("the number of tests is read from sample output of %s", (_, output, count) => {
  expect(testCount(output)).toBe(count);
});

test("the number of tests is read from the output of real runners", () => {
  const root = mkdtempSync(join(tmpdir(), "wisp-count-"));
  try {
    writeFileSync(
      join(root, "a.test.js"),
      'const { test } = require("node:test");\ntest("a", () => {});\ntest("b", () => {});\ntest.skip("c", () => {});\n',
    );
    writeFileSync(
      join(root, "test_a.py"),
      "import unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n",
    );
    const printed = (executable: string, ...args: readonly string[]) => {
      const { stdout, stderr } = spawnSync(executable, args, {
        cwd: root,
        encoding: "utf8",
        env: toolEnvironment(),
      });
      return stdout + stderr;
    };
    expect(testCount(printed("node", "--test"))).toBe(2);
    expect(testCount(printed("node", "--test", "--test-reporter", "tap"))).toBe(2);
    expect(testCount(printed("python3", "-m", "unittest"))).toBe(2);
    expect(testCount(printed("python3", "-m", "pytest", "-p", "no:cacheprovider"))).toBe(2);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a drop to less than half, or to none, means that most are missing; any other, that some are", () => {
  expect([fallOf(10, 10), fallOf(10, 12), fallOf(0, 0)]).toEqual(["none", "none", "none"]);
  expect([fallOf(10, 9), fallOf(10, 5)]).toEqual(["some", "some"]);
  expect([fallOf(10, 4), fallOf(1, 0)]).toEqual(["most", "most"]);
});

test("counting tests never throws, whatever the output", () => {
  fc.assert(fc.property(fc.string(), (output) => void testCount(output)));
});
