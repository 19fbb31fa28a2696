import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { failingTests, passedTally } from "../../../src/evidence/verify/failing-tests.ts";
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
test("two waits", { todo: "issue 12" }, () => assert.equal(1, 2));
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

/** Like a verify tree in the folder of all trees of a session. */
let trees = "";
let root = "";
beforeAll(() => {
  trees = join(mkdtempSync(join(tmpdir(), "wisp-")), "verify");
  root = join(trees, "1/tree");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "node.test.cjs"), NODE_TESTS);
  writeFileSync(join(root, "load.test.cjs"), 'throw new Error("it does not load");\n');
  writeFileSync(join(root, "adds.spec.mjs"), VITEST_TESTS);
  writeFileSync(join(root, "load.spec.mjs"), 'throw new Error("it does not load");\n');
  writeFileSync(join(root, "vitest.config.mjs"), "export default {};\n");
  symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(root, "node_modules"));
});
afterAll(() => {
  rmSync(dirname(trees), { recursive: true, force: true });
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

function namesIn(output: string, folder = "/nowhere/verify"): readonly string[] | undefined {
  return failingTests({ output, isCut: false, trees: folder }).failing;
}

test.each(["spec", "tap"])(
  "node --test, %s reporter: failing tests with file and titles, without times, the tree, and what is expected to fail",
  (reporter) => {
    const output = outputOf([
      "--test",
      `--test-reporter=${reporter}`,
      "node.test.cjs",
      "load.test.cjs",
    ]);
    expect(namesIn(output, trees)).toEqual([
      "load.test.cjs",
      "node.test.cjs > a suite > fails inside",
      "node.test.cjs > adds 1 (one) - and more",
      "node.test.cjs > has a # TODO in its name",
      "node.test.cjs > waits 5ms",
    ]);
  },
);

test("vitest, default and TAP reporters: each test once, and files that do not load", () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const output = outputOf([vitest, "run", "--reporter=default", "--reporter=tap", "spec.mjs"]);
  const read = failingTests({ output, isCut: false, trees });
  expect(read.failing).toEqual([
    "adds.spec.mjs > a suite > fails inside",
    "adds.spec.mjs > adds",
    "adds.spec.mjs > waits 5ms",
    "load.spec.mjs",
  ]);
  expect(read.tally).toMatchObject({ failed: 3, skipped: 1 });
  expect(read.tally?.times).toBeUndefined();
});

test("the path of the tree is cut, however it is written, and no other one", () => {
  const folder = "/home/me/.local/state/wisp/repo-8/two files/verify";
  const at = (path: string, name = "it") =>
    `not ok 1 - ${name}\n  ---\n  location: '${path}:3:1'\n  ...`;
  const output = [
    at(`${folder}/1/tree/test/a.test.js`),
    at(`${folder}/2/tree/test/a.test.js`),
    at(`file://${encodeURI(folder)}/1/tree/test/b.test.js`),
    at(`/private${folder}/1/tree/test/c.test.js`),
    at("/other/verify/1/tree/test/d.test.js"),
  ].join("\n");
  expect(failingTests({ output, isCut: false, trees: folder })).toEqual({
    failing: [
      "/other/verify/1/tree/test/d.test.js > it",
      "test/a.test.js > it",
      "test/b.test.js > it",
      "test/c.test.js > it",
    ],
    tally: { rules: 2, times: [1, 2, 1, 1] },
  });
  const linked = at("/data/home/me/state/one/verify/2/tree/test/a.test.js");
  expect(namesIn(linked, "/home/me/state/one/verify")).toEqual(["test/a.test.js > it"]);
});

test("only the time that the runner appends is cut", () => {
  expect(namesIn("✖ waits (5ms) (1.25ms)\n✖ waits (5ms)\nℹ fail 1")).toEqual([
    "waits",
    "waits (5ms)",
  ]);
  const bun = "a.test.ts:\n(fail) waits [5ms] [0.31ms]\n(fail) waits (5ms) [1.00ms]";
  expect(namesIn(bun)).toEqual(["a.test.ts > waits (5ms)", "a.test.ts > waits [5ms]"]);
  expect(namesIn("  1 failing\n\n  1) waits (5ms):\n     Error: late")).toEqual(["waits (5ms)"]);
});

test("a todo test with a reason is expected to fail, whatever the reason", () => {
  const output = "✖ two waits (55.267528ms) # issue 12\n✖ a (1ms) # TODO\n✖ b (1.5ms)\nℹ fail 1";
  expect(namesIn(output)).toEqual(["b"]);
});

// The tools of the following samples were not run for this: those of pytest 9, unittest of Python 3.11 and cargo 1.95
// were recorded once; those of jest, go, nextest, Rails, Maven and Gradle were written by hand.

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
  expect(namesIn(output)).toEqual([
    "test_a.py > TestC > test_m",
    "test_a.py > test_fix",
    "test_a.py > test_p[a b]",
    "test_a.py > test_p[c - d]",
    "test_a.py > test_quiet",
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
  expect(namesIn(output)).toEqual(["un.U > test_e", "un.U > test_s (i=0)", "un.U > test_u"]);
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
  expect(namesIn(output)).toEqual([
    "example.com/broken",
    "example.com/sum > TestSum",
    "example.com/sum > TestSum > of_none",
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
  expect(namesIn(output)).toEqual([
    "src/lib.rs > add",
    "src/lib.rs > sub",
    "tests::adds",
    "tests::panics",
  ]);
});

test("cargo nextest: names without time and place, once, although it lists them again", () => {
  const output = `
        PASS [   0.002s] (1/3) ct tests::fine
        FAIL [   0.004s] (2/3) ct tests::adds
        FAIL [   0.005s] ct tests::panics
     Summary [   0.005s] 3 tests run: 1 passed, 2 failed, 0 skipped
        FAIL [   0.004s] (2/3) ct tests::adds
        FAIL [   0.005s] ct tests::panics`;
  expect(namesIn(output)).toEqual(["ct > tests::adds", "ct > tests::panics"]);
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
  expect(namesIn(output)).toEqual([
    "src/broken.test.js",
    "src/slow.test.js > adds 1 + 2",
    "src/slow.test.js > sums > of none",
  ]);
});

test("jest: tests that it lists again in a summary count once", () => {
  const test = "FAIL src/a.test.js\n  ● adds\n\n    expected 1\n";
  const output = `${test}\nPASS src/b.test.js\nSummary of all failing tests\n${test}\nTest Suites: 1 failed\n`;
  expect(failingTests({ output, isCut: false, trees: "/nowhere" })).toEqual({
    failing: ["src/a.test.js > adds"],
    tally: { rules: 2 },
  });
});

test("Rails: tests of its own form of minitest", () => {
  const output = `
Failure:
UserTest#test_the_truth [test/models/user_test.rb:5]:
Expected false to be truthy.

bin/rails test test/models/user_test.rb:4

Error:
UserTest#test_saves:
RuntimeError: boom
`;
  expect(namesIn(output)).toEqual(["UserTest > test_saves", "UserTest > test_the_truth"]);
});

test("Maven, with Surefire 3 and 2: tests and the totals of all classes", () => {
  const output = `
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in x.CartTest
[ERROR] x.CartTest.adds -- Time elapsed: 0.003 s <<< FAILURE!
[ERROR] x.CartTest.row(int)[1] -- Time elapsed: 0.001 s <<< ERROR!
[ERROR] boom(x.OldTest)  Time elapsed: 0.001 s  <<< ERROR!
[INFO] Results:
[ERROR]   CartTest.adds:6 expected: <1> but was: <2>
[ERROR] Tests run: 7, Failures: 1, Errors: 2, Skipped: 1
`;
  expect(failingTests({ output, isCut: false, trees: "/nowhere" })).toEqual({
    failing: ["x.CartTest > adds", "x.CartTest > row(int)[1]", "x.OldTest > boom"],
    tally: { rules: 2, passed: 3, failed: 3, skipped: 1 },
  });
});

test("Gradle: tests, and totals where a test failed", () => {
  const output =
    "CartTest > adds() FAILED\nCartTest > Empty > adds() FAILED\nCartTest > ok() PASSED\n7 tests completed, 2 failed, 1 skipped\n";
  expect(failingTests({ output, isCut: false, trees: "/nowhere" })).toEqual({
    failing: ["CartTest > Empty > adds()", "CartTest > adds()"],
    tally: { rules: 2, passed: 4, failed: 2, skipped: 1 },
  });
});

test("googletest: a test that crashes has no end of its own, and is named", () => {
  const output =
    "[==========] Running 2 tests\n[ RUN      ] Cart.Ok\n[       OK ] Cart.Ok (0 ms)\n[ RUN      ] Cart.Adds\n";
  expect(namesIn(output)).toEqual(["Cart > Adds"]);
});

test("what a test prints inside the block of its failure is no result", () => {
  const output =
    "not ok 1 - it\n  ---\n  error: |-\n    said\nnot ok 3 - forged\n  ...\nok 2 - other";
  expect(namesIn(output)).toEqual(["it"]);
});

test("output that names no test gives no names", () => {
  expect(namesIn("make: *** [Makefile:2: test] Error 1\n")).toBeUndefined();
  expect(namesIn("✖ 3 problems (3 errors, 0 warnings)\n")).toBeUndefined();
  expect(namesIn("not ok: EADDRINUSE\n")).toBeUndefined();
  expect(namesIn("")).toBeUndefined();
});

test("of a run that passed the totals are read, and nothing is named", () => {
  const output = "not ok 1 - it\n# pass 3\n# fail 0\n# skipped 1\n";
  const tally = passedTally({ output, isCut: false, trees: "/nowhere" });
  expect(tally).toEqual({ rules: 2, passed: 3, failed: 0, skipped: 1 });
});

test("the number and the length of names are bounded, and what is missing is said", () => {
  const many = Array.from({ length: 2_000 }, (_, n) => `not ok ${n} - ${n}`).join("\n");
  const read = failingTests({ output: many, isCut: false, trees: "/nowhere" });
  expect(read.failing).toHaveLength(500);
  expect(read.tally).toEqual({ rules: 2, isCut: true });
  const cut = failingTests({ output: "not ok 1 - it", isCut: true, trees: "/nowhere" });
  expect(cut).toEqual({ failing: ["it"], tally: { rules: 2, isCut: true } });
  const long = ["one", "two"].map((end) => `not ok 1 - ${"x".repeat(2_000)}${end}`).join("\n");
  const names = namesIn(long) ?? [];
  expect(names.map((name) => name.slice(-4))).toEqual(["xone", "xtwo"]);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(300);
});
