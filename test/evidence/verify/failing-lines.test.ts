import { expect, test } from "vitest";
import { failingLines } from "../../../src/evidence/verify/failing-lines.ts";

// These rules stay as they are: sessions that an older wisp began compare names of their whole life.

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
  expect(failingLines(output)).toEqual([
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
  expect(failingLines(output)).toEqual([
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
  expect(failingLines(output)).toEqual([
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
  expect(failingLines(output)).toEqual([
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
  expect(failingLines(output)).toEqual(["ct tests::adds", "ct tests::panics"]);
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
  expect(failingLines(output)).toEqual([
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
  expect(failingLines("make: *** [Makefile:2: test] Error 1\n")).toBeUndefined();
  expect(failingLines("✖ 3 problems (3 errors, 0 warnings)\n")).toBeUndefined();
  expect(failingLines("")).toBeUndefined();
});

test("the number and the length of names are bounded", () => {
  const output = Array.from({ length: 2_000 }, (_, n) => `not ok ${n} - ${"x".repeat(2_000)}${n}`);
  const many = Array.from({ length: 2_000 }, (_, n) => `not ok ${n} - ${n}`);
  expect(failingLines(many.join("\n"))).toHaveLength(500);
  expect(failingLines(output.join("\n"))).toEqual(["x".repeat(300)]);
});
