import { expect, test } from "vitest";
import type { PassReader } from "../../../src/evidence/printed/listed-tree.ts";
import {
  passedInCargo,
  passedInCtest,
  passedInGo,
  passedInPhpunit,
  passedInPytest,
  passedInUnittest,
} from "../../../src/evidence/printed/passed-in-lists.ts";
import {
  passedInJest,
  passedInMocha,
  passedInNodeSpec,
  passedInRspec,
  passedInTap,
  passedInVitest,
} from "../../../src/evidence/printed/passed-in-trees.ts";
import { identityText } from "../../../src/evidence/printed/test-identity.ts";

/* Parts of real outputs: each also has what failed, what was left out, and groups. */

const NODE_SPEC = `✔ adds (a+b) (0.748036ms)
✖ bad (0.768988ms)
▶ group
  ✔ adds (0.146959ms)
  ✖ red (8.432754ms)
  ﹣ skips (0.142243ms) # SKIP
✖ group (9.045167ms)
▶ green
  ✔ in it (0.146959ms)
✔ green (0.5ms)
✔ later (0.1ms) # TODO
ℹ tests 6

✖ failing tests:

✔ printed by a test (1ms)`;

const TAP = String.raw`TAP version 13
# Subtest: group
    # Subtest: adds \# one
    ok 1 - adds \# one
      ---
      duration_ms: 0.5
      ...
    # Subtest: skips
    ok 2 - skips # SKIP
    1..2
ok 1 - group
# Subtest: red
not ok 2 - red
# Subtest: later
ok 3 - later # TODO
ok 4 in bats`;

const VITEST = ` ✓ a.test.ts > group > adds (a+b) 1ms
 × a.test.ts > group > red 4ms
   → expected 1 to be 2 // Object.is equality
 ↓ a.test.ts > group > skips
 ✓ |unit| b.test.ts > top 5ms 0ms`;

const JEST = `FAIL t/j.test.js
  ✓ top
  group
    ✓ adds (a+b) (1 ms)
    ✕ red
    ○ skipped skips
    in
      ✓ deep

  ● group › red

    ✓ printed by a test
PASS t/k.test.js (5.1 s)
  ✓ top

Tests: 1 failed`;

const MOCHA = `

  ✔ top (52ms)
  group
    ✔ adds (a+b)
    1) red
    - skips
    in
      ✔ deep


  3 passing (3ms)
  1 failing

  ✔ printed later`;

const RSPEC = `
Calc
  adds (a+b)
  red (FAILED - 1)
  skips (PENDING: Temporarily skipped with xit)
  in
    deep

String
  #size
    ok

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) Calc skips`;

const PYTEST = `PASSED test_a.py::C::test_ok
PASSED test_a.py::TestP::test_p[a b]
PASSED test_a.py::TestP::test_p[c::d]
SKIPPED [1] test_a.py:7: x
FAILED test_a.py::C::test_bad - AssertionError: None
XPASS test_a.py::test_x`;

const UNITTEST = `test_ok (test_a.C.test_ok)
Doc string ... ok
test_old (test_a.C) ... ok
test_bad (test_a.C.test_bad) ... FAIL
test_sk (test_a.C.test_sk) ... skipped 'x'
test_words (test_a.C.test_words)
In words ... FAIL`;

const GO = `=== RUN   TestA
--- FAIL: TestA (0.00s)
    --- PASS: TestA/b_c (0.00s)
    --- FAIL: TestA/d (0.00s)
--- SKIP: TestS (0.00s)
FAIL
FAIL\tm/p\t0.002s
--- PASS: TestB (0.00s)
PASS
ok  \tm\t0.004s
ok  \tm/q\t0.004s [no tests to run]`;

const CARGO = `     Running unittests src/lib.rs (target/debug/deps/my_calc-7a3dc1c7412f43dd)
test tests::a ... ok
test tests::b ... FAILED
test tests::c - should panic ... ok
test tests::d ... ignored
     Running tests/x.rs (target/debug/deps/x-de5cccce45aca8d2)
test a ... ok
   Doc-tests my_calc
test src/lib.rs - f (line 1) ... ok`;

const PHPUNIT = String.raw`##teamcity[testSuiteStarted name='N\M\CalcTest' locationHint='php_qn:///t/CalcTest.php::\N\M\CalcTest' flowId='9']
##teamcity[testStarted name='testA' locationHint='php_qn:///t/CalcTest.php::\N\M\CalcTest::testA' flowId='9']
.
##teamcity[testFinished name='testA' duration='1' flowId='9']
##teamcity[testStarted name='testAB' locationHint='php_qn:///t/CalcTest.php::\N\M\CalcTest::testAB' flowId='9']
F
##teamcity[testFailed name='testAB' message='no' details=' ' duration='0' flowId='9']
##teamcity[testFinished name='testAB' duration='0' flowId='9']
##teamcity[testStarted name='testS' locationHint='php_qn:///t/CalcTest.php::\N\M\CalcTest::testS' flowId='9']
##teamcity[testIgnored name='testS' message='' details='' duration='0' flowId='9']
##teamcity[testFinished name='testS' duration='0' flowId='9']`;

const CTEST = `1/3 Test #1: a.b ..............................   Passed    0.00 sec
2/3 Test #2: red ..............................***Failed    0.00 sec
3/3 Test #3: gone .............................***Not Run   0.00 sec`;

test.each<[string, PassReader, string, readonly string[]]>([
  ["node:test", passedInNodeSpec, NODE_SPEC, ["adds (a+b)", "group > adds", "green > in it"]],
  ["TAP", passedInTap, TAP, ["group > adds # one", "in bats"]],
  [
    "vitest",
    passedInVitest,
    VITEST,
    ["a.test.ts > group > adds (a+b)", "b.test.ts > unit > top 5ms"],
  ],
  [
    "jest",
    passedInJest,
    JEST,
    [
      "t/j.test.js > top",
      "t/j.test.js > group > adds (a+b)",
      "t/j.test.js > group > in > deep",
      "t/k.test.js > top",
    ],
  ],
  ["mocha", passedInMocha, MOCHA, ["top", "group > adds (a+b)", "group > in > deep"]],
  ["RSpec", passedInRspec, RSPEC, ["Calc adds (a+b)", "Calc in deep", "String#size ok"]],
  [
    "pytest",
    passedInPytest,
    PYTEST,
    [
      "test_a.py > C > test_ok",
      "test_a.py > TestP > test_p[a b]",
      "test_a.py > TestP > test_p[c::d]",
    ],
  ],
  ["unittest", passedInUnittest, UNITTEST, ["test_a.C > test_ok", "test_a.C > test_old"]],
  ["go", passedInGo, GO, ["m/p > TestA > b_c", "m > TestB"]],
  [
    "cargo",
    passedInCargo,
    CARGO,
    ["src/lib.rs > my_calc > tests::a", "src/lib.rs > my_calc > tests::c", "tests/x.rs > a"],
  ],
  ["PHPUnit", passedInPhpunit, PHPUNIT, [String.raw`N\M\CalcTest > testA`]],
  ["ctest", passedInCtest, CTEST, ["a.b"]],
])("%s: exactly the tests that passed by their own names", (_, reader, output, passed) => {
  expect(reader(output.split("\n")).map(identityText)).toEqual(passed);
});
