import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { failingTests } from "../../../src/evidence/verify/failing-tests.ts";
import { cleanText } from "../../../src/base/words/clean-text.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

const NODE_TESTS = `
const { test, describe, it } = require("node:test");
const assert = require("node:assert");
test("adds 1 (one) - and more", () => assert.equal(1, 2));
test("passes", () => {});
test("waits 5ms", () => assert.fail("late"));
test("waits 10ms", () => {});
test("is expected to fail", { todo: true }, () => assert.equal(1, 2));
test("is left out", { skip: "for now" }, () => assert.equal(1, 2));
test("has a # TODO in its name", () => assert.fail("no"));
describe("a suite", () => {
  it("fails inside", () => assert.ok(false));
  it("passes inside", () => {});
});
`;

const VITEST_TESTS = `
import { describe, expect, test } from "vitest";
test("adds", () => expect(1).toBe(2));
test("passes", () => {});
test("waits 5ms", () => expect(1).toBe(2));
test.fails("is expected to fail", () => expect(1).toBe(2));
test.skip("is left out", () => expect(1).toBe(2));
describe("a suite", () => test("fails inside", () => { throw new Error("boom"); }));
`;

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "wisp-"));
  writeFileSync(join(root, "node.test.cjs"), NODE_TESTS);
  writeFileSync(join(root, "load.test.cjs"), 'throw new Error("it does not load");\n');
  writeFileSync(join(root, "adds.spec.mjs"), VITEST_TESTS);
  writeFileSync(join(root, "load.spec.mjs"), 'throw new Error("it does not load");\n');
  writeFileSync(join(root, "vitest.config.mjs"), "export default {};\n");
  symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(root, "node_modules"));
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** The output of a run as wisp sees it: both streams, cleaned. */
function outputOf(args: readonly string[]): string {
  const env = ownEnvironment({ FORCE_COLOR: "1" });
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  return clean(stdout + stderr);
}

function clean(text: string): string {
  return cleanText(text, { charsMax: 1_000_000, lines: "many" });
}

const NODE_FAILING = [
  "a suite",
  "adds 1 (one) - and more",
  "fails inside",
  "load.test.cjs",
  "waits 5ms",
];

test.each(["spec", "tap"])(
  "node --test, %s reporter: failing tests, and nothing else",
  (reporter) => {
    const output = outputOf([
      "--test",
      `--test-reporter=${reporter}`,
      "node.test.cjs",
      "load.test.cjs",
    ]);
    const names = (failingTests(output) ?? []).map((name) => name.replace(`${root}/`, ""));
    const escaped = reporter === "tap" ? "has a \\# TODO in its name" : "has a # TODO in its name";
    expect(names.sort()).toEqual([...NODE_FAILING, escaped].sort());
  },
);

test("vitest, default and TAP reporters: tests with their files, and files that do not load", () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const output = outputOf([vitest, "run", "--reporter=default", "--reporter=tap", "spec.mjs"]);
  expect(failingTests(output)).toEqual([
    "a suite",
    "adds",
    "adds.spec.mjs",
    "adds.spec.mjs > a suite > fails inside",
    "adds.spec.mjs > adds",
    "adds.spec.mjs > waits 5ms",
    "fails inside",
    "load.spec.mjs",
    "load.spec.mjs [ load.spec.mjs ]",
    "waits 5ms",
  ]);
});

// This test does not run the tools of the following samples: those of pytest 9, unittest of Python 3.11 and cargo
// 1.95 were recorded once; those of jest, go and nextest were written by hand.

test("pytest: tests of the summary, parameters with spaces and dashes, files that do not load", () => {
  const output = `
E   AssertionError: assert 'a b' == 'x'
=========================== short test summary info ============================
FAILED test_a.py::test_p[a b] - AssertionError: assert 'a b' == 'x'
FAILED test_a.py::test_p[c - d] - AssertionError: assert 'c - d' == 'x'
FAILED test_a.py::TestC::test_m - assert [1] == [2]
FAILED test_a.py::test_quiet
ERROR test_b.py
ERROR test_a.py::test_fix - RuntimeError: no db
=============== 4 failed, 1 passed, 1 xfailed, 2 errors in 1.20s ===============`;
  expect(failingTests(output)).toEqual([
    "test_a.py::TestC::test_m",
    "test_a.py::test_fix",
    "test_a.py::test_p[a b]",
    "test_a.py::test_p[c - d]",
    "test_a.py::test_quiet",
    "test_b.py",
  ]);
});

test("unittest: failing tests, but not their count", () => {
  const output = `
ERROR: test_e (un.U.test_e)
----------------------------------------------------------------------
FAIL: test_s (un.U.test_s) (i=0)
FAIL: test_u (un.U.test_u)

FAILED (failures=2)
FAILED (failures=2, errors=1)`;
  expect(failingTests(output)).toEqual([
    "test_e (un.U.test_e)",
    "test_s (un.U.test_s) (i=0)",
    "test_u (un.U.test_u)",
  ]);
});

test("go test: tests, subtests, and packages that fail or do not build", () => {
  const output = `
# example.com/broken [example.com/broken.test]
./b_test.go:5:2: undefined: nothing
--- FAIL: TestSum (0.00s)
    --- FAIL: TestSum/of_none (0.00s)
        sum_test.go:12: got 1, want 0
FAIL
FAIL\texample.com/sum\t0.004s
FAIL\texample.com/broken [build failed]
ok  \texample.com/fine\t(cached)
FAIL`;
  expect(failingTests(output)).toEqual([
    "TestSum",
    "TestSum/of_none",
    "example.com/broken",
    "example.com/sum",
  ]);
});

test("cargo test: tests and documentation tests, without line numbers", () => {
  const output = `
running 4 tests
test tests::fine ... ok
test tests::later ... ignored
test tests::panics - should panic ... FAILED
test tests::adds ... FAILED

failures:
    tests::adds
    tests::panics

test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.24s
test src/lib.rs - add (line 3) ... FAILED
test src/lib.rs - sub (line 9) - compile fail ... FAILED`;
  expect(failingTests(output)).toEqual([
    "src/lib.rs - add",
    "src/lib.rs - sub",
    "tests::adds",
    "tests::panics",
  ]);
});

test("cargo nextest: names without time and place", () => {
  const output = `
        PASS [   0.002s] (1/3) ct tests::fine
        FAIL [   0.004s] (2/3) ct tests::adds
        FAIL [   0.005s] ct tests::panics`;
  expect(failingTests(output)).toEqual(["ct tests::adds", "ct tests::panics"]);
});

test("jest: files and tests, including top-level ones, without durations and output", () => {
  const output = `
FAIL src/slow.test.js (5.123 s, 40 MB heap size)
  ● Console

    console.log
      hello

  ● sums › of none

    expect(received).toBe(expected)

  ● adds 1 + 2

PASS src/fine.test.js
FAIL src/broken.test.js
  ● Test suite failed to run

  sums
    ✓ of one
    ✕ of none (5 ms)
    ✕ of some (1.2 s)
Tests:       3 failed, 1 passed, 4 total`;
  expect(failingTests(output)).toEqual([
    "Test suite failed to run",
    "adds 1 + 2",
    "of none",
    "of some",
    "src/broken.test.js",
    "src/slow.test.js",
    "sums › of none",
  ]);
});

test("output that names no test gives no names", () => {
  expect(failingTests("make: *** [Makefile:2: test] Error 1\n")).toBeUndefined();
  expect(failingTests("✖ 3 problems (3 errors, 0 warnings)\n")).toBeUndefined();
  expect(failingTests("")).toBeUndefined();
});

test("the number and the length of names are bounded", () => {
  const output = Array.from({ length: 2_000 }, (_, n) => `not ok ${n} - ${"x".repeat(2_000)}${n}`);
  const many = Array.from({ length: 2_000 }, (_, n) => `not ok ${n} - ${n}`);
  expect(failingTests(many.join("\n"))).toHaveLength(500);
  expect(failingTests(output.join("\n"))).toEqual(["x".repeat(300)]);
});
