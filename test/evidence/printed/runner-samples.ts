/** What a sample in `test/fixtures/runners` says. A number after an identity is how often it failed. */
export interface RunnerSample {
  readonly files: readonly string[];
  readonly failing: readonly (string | readonly [string, number])[];
  /** Passed, failed and skipped tests; `-` where the runner does not print it. */
  readonly totals: string;
}

const NODE = (words: string): readonly string[] => [
  "test/alpha.node.cjs > a suite > deeper > fails inside",
  "test/alpha.node.cjs > a suite > fails inside",
  "test/alpha.node.cjs > b suite > fails inside",
  "test/alpha.node.cjs > empty input",
  "test/alpha.node.cjs > has a # TODO in its name",
  "test/alpha.node.cjs > parent > child",
  "test/alpha.node.cjs > waits 5ms",
  "test/beta.node.cjs > empty input",
  `test/beta.node.cjs > fails with its own words${words}`,
  "test/beta.node.cjs > hooked",
  "test/beta.node.cjs > hooked > never runs",
  "test/load.node.cjs",
];

const VITEST = (soft: readonly [string, number] | string) => [
  "test/alpha.spec.mjs > a suite > deeper > fails inside",
  "test/alpha.spec.mjs > a suite > fails inside",
  "test/alpha.spec.mjs > adds",
  "test/alpha.spec.mjs > row 1",
  "test/alpha.spec.mjs > row 2",
  "test/alpha.spec.mjs > waits 5ms",
  "test/beta.spec.mjs > adds",
  soft,
  "test/load.spec.mjs",
];

/** Outputs of real runs, each of a few tests of which some share their names. */
export const RUNNER_SAMPLES: readonly RunnerSample[] = [
  {
    files: ["node18-tap", "node20-tap", "node24-tap"],
    failing: NODE(String.raw`\nand another line`),
    totals: "2 12 1",
  },
  {
    files: ["node18-spec", "node20-spec", "node22-spec"],
    failing: NODE(""),
    totals: "2 12 1",
  },
  {
    files: ["tape"],
    failing: [
      "test/alpha.tape.cjs > nested one > same shape",
      ["test/alpha.tape.cjs > parse() > should be strictly equal", 2],
      "test/alpha.tape.cjs > stringify() > is ok",
      "test/beta.tape.cjs > parse() > should be strictly equal",
    ],
    totals: "4 5 -",
  },
  {
    files: ["mocha"],
    failing: [
      "a suite > deeper > ends with a colon:",
      "a suite > deeper > fails inside",
      "a suite > fails inside",
      ["adds", 2],
      "b suite > fails inside",
      `hooked > "before all" hook for "never runs"`,
      "slow",
    ],
    totals: "1 8 1",
  },
  {
    files: ["mocha-tap"],
    failing: [
      "a suite deeper ends with a colon:",
      "a suite deeper fails inside",
      "a suite fails inside",
      ["adds", 2],
      "b suite fails inside",
      `hooked "before all" hook for "never runs"`,
      "slow",
    ],
    totals: "1 8 -",
  },
  {
    files: ["vitest", "vitest-verbose"],
    failing: VITEST(["test/beta.spec.mjs > soft", 2]),
    totals: "1 8 1",
  },
  { files: ["vitest1"], failing: VITEST(["test/beta.spec.mjs > soft", 2]), totals: "2 8 1" },
  {
    files: ["vitest-tap", "vitest-tapflat"],
    failing: VITEST("test/beta.spec.mjs > soft"),
    totals: "- - -",
  },
  {
    files: ["jest", "jest-verbose"],
    failing: [
      "test/alpha.jest.test.cjs > a suite > deeper > fails inside",
      "test/alpha.jest.test.cjs > a suite > fails inside",
      "test/alpha.jest.test.cjs > adds",
      "test/beta.jest.test.cjs > adds",
      "test/beta.jest.test.cjs > waits 5 ms",
      "test/load.jest.test.cjs",
    ],
    totals: "2 5 1",
  },
  {
    files: ["ava"],
    failing: [
      "test/alpha.ava.mjs > adds",
      "test/alpha.ava.mjs > throws",
      "test/alpha.ava.mjs > waits",
      "test/beta.ava.mjs > adds",
    ],
    totals: "- 4 1",
  },
  {
    files: ["ava-one"],
    failing: [
      "test/alpha.ava.mjs > adds",
      "test/alpha.ava.mjs > throws",
      "test/alpha.ava.mjs > waits",
    ],
    totals: "- 3 1",
  },
  {
    files: ["ava-tap"],
    failing: ["alpha.ava > adds", "alpha.ava > throws", "alpha.ava > waits", "beta.ava > adds"],
    totals: "2 4 1",
  },
  {
    files: ["jasmine"],
    failing: ["a suite deeper fails inside", "a suite fails inside", "adds", "adds too"],
    totals: "1 4 2",
  },
  {
    files: ["uvu"],
    failing: [
      "alpha.uvu.mjs > a suite > fails inside",
      "alpha.uvu.mjs > adds",
      "beta.uvu.mjs > adds",
    ],
    totals: "1 3 1",
  },
  { files: ["uvu-node"], failing: ["a suite > fails inside", "adds"], totals: "1 2 1" },
  {
    files: ["qunit"],
    failing: ["a suite > adds", "a suite > deeper > fails inside", "adds"],
    totals: "1 3 1",
  },
  {
    files: ["playwright"],
    failing: [
      "pw/alpha.spec.mjs > a suite > fails inside",
      "pw/alpha.spec.mjs > adds",
      "pw/beta.spec.mjs > adds",
    ],
    totals: "2 3 1",
  },
  {
    files: ["bun"],
    failing: [
      "buntest/alpha.test.ts > a suite > deeper > fails inside",
      "buntest/alpha.test.ts > a suite > fails inside",
      "buntest/alpha.test.ts > adds",
      "buntest/beta.test.ts > adds",
    ],
    totals: "1 4 1",
  },
  {
    files: ["deno"],
    failing: [
      "denotest/alpha_test.ts > adds",
      "denotest/alpha_test.ts > parent > step one",
      "denotest/beta_test.ts > adds",
    ],
    totals: "1 3 1",
  },
  { files: ["pytest"], failing: ["tests/test_load.py"], totals: "0 1 0" },
  {
    files: ["pytest-q"],
    failing: [
      "tests/test_a.py > TestC > test_m",
      "tests/test_a.py > test_fix",
      "tests/test_a.py > test_p[[e]]",
      "tests/test_a.py > test_p[a b]",
      "tests/test_a.py > test_p[c - d]",
      "tests/test_b.py > test_m",
    ],
    totals: "2 6 1",
  },
  {
    files: ["pytest-rN"],
    failing: ["TestC.test_m", "test_fix", "test_p[[e]]", "test_p[a b]", "test_p[c - d]"],
    totals: "2 5 1",
  },
  {
    files: ["unittest"],
    failing: [
      "un_a.U > test_e",
      "un_a.U > test_f",
      "un_a.U > test_s (i=1, name='a b')",
      "un_a.V > setUpClass",
      "unittest.loader._FailedTest > un_b",
    ],
    totals: "1 5 1",
  },
  {
    files: ["go"],
    failing: [
      "example.com/m/broken",
      "example.com/m/panics > TestP",
      "example.com/m/sum > TestSum",
      "example.com/m/sum > TestSum > of_none",
      "example.com/m/tool > TestSum",
    ],
    totals: "- 4 -",
  },
  {
    files: ["go-json"],
    failing: ["example.com/m/sum > TestSum", "example.com/m/sum > TestSum > of_none"],
    totals: "2 2 1",
  },
  {
    files: ["cargo"],
    failing: [
      "src/lib.rs > ct > add",
      "src/lib.rs > ct > tests::adds",
      "src/lib.rs > ct > tests::panics",
      "tests/one.rs > adds",
      "tests/two.rs > adds",
    ],
    totals: "1 5 1",
  },
  {
    files: ["rspec"],
    failing: [
      "spec/a_spec.rb > Cart adds",
      "spec/a_spec.rb > Cart when empty adds",
      ["spec/a_spec.rb > Cart when empty row", 2],
      "spec/b_spec.rb > Cart adds",
    ],
    totals: "1 5 2",
  },
  { files: ["rspec-load"], failing: ["spec/load_spec.rb"], totals: "0 1 0" },
  {
    files: ["minitest"],
    failing: [
      "TestCart > test_adds",
      "TestCart > test_boom",
      "a cart > adds things",
      "a cart::when empty > adds things",
    ],
    totals: "1 4 1",
  },
  {
    files: ["test-unit"],
    failing: ["TestCart > test: with words", "TestCart > test_adds", "TestCart > test_boom"],
    totals: "1 3 1",
  },
  {
    files: ["phpunit"],
    failing: [
      String.raw`App\Tests\ATest > testAdds`,
      String.raw`App\Tests\ATest > testBoom`,
      String.raw`App\Tests\ATest > testMore with data set #0 (1)`,
      String.raw`App\Tests\ATest > testRow with data set "one" (1)`,
      String.raw`App\Tests\ATest > testRow with data set "two" (2)`,
    ],
    totals: "3 5 1",
  },
  {
    files: ["phpunit-testdox"],
    failing: [
      String.raw`App\Tests\A > Adds`,
      String.raw`App\Tests\A > Boom`,
      String.raw`App\Tests\A > More with data set #0`,
      String.raw`App\Tests\A > Row with data set "one"`,
      String.raw`App\Tests\A > Row with data set "two"`,
    ],
    totals: "3 5 1",
  },
  {
    files: ["prove"],
    failing: [
      "t/a.t > (no name)",
      "t/a.t > adds",
      "t/a.t > inner > adds inside",
      "t/b.t",
      "t/b.t > adds",
      "t/c.t > test 2",
    ],
    totals: "3 5 -",
  },
  {
    files: ["prove-v"],
    failing: [
      "t/a.t > (no name)",
      "t/a.t > adds",
      "t/a.t > inner > adds inside",
      "t/b.t",
      "t/b.t > adds",
      "t/c.t > raw tap",
    ],
    totals: "3 5 -",
  },
  { files: ["bats-tap"], failing: ["bats/a.bats > adds", "bats/b.bats > adds"], totals: "- - -" },
  {
    files: ["bats-pretty"],
    failing: ["bats/a.bats > adds", "bats/b.bats > adds"],
    totals: "1 2 1",
  },
  { files: ["gtest"], failing: ["Cart > Adds", "In/P > Row/1", "In/P > Row/2"], totals: "2 3 1" },
  { files: ["ctest"], failing: ["adds", "gone", "slow", "with a space"], totals: "1 4 0" },
  {
    files: ["catch2"],
    failing: [
      "catch/t.cc > Scenario: a story > Given: x > When: y > Then: z",
      "catch/t.cc > a vector > grows",
      "catch/t.cc > a vector > grows > deeper",
      "catch/t.cc > adds",
      "catch/t.cc > throws",
    ],
    totals: "1 4 -",
  },
  {
    files: ["exunit"],
    failing: [
      "test/a_test.exs > ATest > test adds",
      "test/a_test.exs > ATest > test when empty adds",
      "test/b_test.exs > BTest > test adds",
    ],
    totals: "1 3 1",
  },
  {
    files: ["busted"],
    failing: [
      "spec/a_spec.lua > a cart adds",
      "spec/a_spec.lua > a cart empty adds",
      "spec/b_spec.lua > a cart adds",
    ],
    totals: "1 3 1",
  },
  {
    files: ["busted-tap"],
    failing: [
      "spec/a_spec.lua > a cart adds",
      "spec/a_spec.lua > a cart empty adds",
      "spec/b_spec.lua > a cart adds",
    ],
    totals: "- - -",
  },
  { files: ["ert"], failing: ["a-adds", "a-boom"], totals: "2 2 1" },
];
