import { expect, test } from "vitest";
import { NARROWED_TESTS_MAX } from "../../../src/base/look-limits.ts";
import { NARROWERS, narrowCommand } from "../../../src/evidence/narrow/narrow-command.ts";

/** The command lines, with a `|` between their words. */
function narrowed(
  line: string,
  tests: readonly string[],
  scripts?: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const manifest = scripts === undefined ? undefined : JSON.stringify({ scripts });
  const commands = narrowCommand({ argv: line.split(" "), manifest }, tests);
  return commands?.map(({ argv }) => argv.join("|"));
}

const RUNNERS: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    "node:test",
    "node --import tsx --test test/",
    ["test/a.test.js > group > adds (a+b)", "test/a.test.js > top"],
    [
      String.raw`node|--import|tsx|--test|--test-reporter=spec|--test-name-pattern=^adds \(a\+b\)$|--test-name-pattern=^top$|test/a.test.js`,
    ],
  ],
  [
    "node:test",
    "node --test",
    ["test/a.test.js > x", "test/b.test.js > x"],
    [
      "node|--test|--test-reporter=spec|--test-name-pattern=^x$|test/a.test.js",
      "node|--test|--test-reporter=spec|--test-name-pattern=^x$|test/b.test.js",
    ],
  ],
  [
    "vitest",
    "npx vitest run",
    ["test/a.test.ts > group > adds (a+b)", "test/b.test.ts > top"],
    [
      String.raw`npx|vitest|run|--reporter=verbose|-t|^(group adds \(a\+b\)|top)$|test/a.test.ts|test/b.test.ts`,
    ],
  ],
  [
    "jest",
    "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci",
    ["a.test.js > group > adds"],
    [
      "node|--experimental-vm-modules|node_modules/jest/bin/jest.js|--ci|--verbose|-t|^group adds$|--runTestsByPath|a.test.js",
    ],
  ],
  [
    "mocha",
    "npx mocha test/*.js",
    ["group > adds"],
    ["npx|mocha|test/*.js|--reporter=spec|-g|^group adds$"],
  ],
  [
    "pytest",
    "uv run pytest -q -m fast tests",
    ["tests/test_a.py > TestP > test_p[a b]", "tests/test_a.py > test_q"],
    ["uv|run|pytest|-q|-m|fast|-rA|tests/test_a.py::TestP::test_p[a b]|tests/test_a.py::test_q"],
  ],
  [
    "pytest",
    "python3 -m pytest",
    ["test_a.py > test_q"],
    ["python3|-m|pytest|-rA|test_a.py::test_q"],
  ],
  [
    "unittest",
    "python3 -m unittest discover -s tests",
    ["test_a.Calc > test_adds"],
    ["python3|-m|unittest|discover|-s|tests|-v|-k|test_a.Calc.test_adds"],
  ],
  [
    "go",
    "go test -race ./...",
    ["example.com/m/p > TestA > b_c", "example.com/m/p > TestA", "m > TestB"],
    ["go|test|-v|-count=1|-run|^(TestA|TestB)$|-race|example.com/m/p|m"],
  ],
  [
    "cargo",
    "cargo test --workspace",
    ["src/lib.rs > calc > tests::adds", "tests/x.rs > adds"],
    ["cargo|test|--workspace|--no-fail-fast|--|--exact|tests::adds|adds"],
  ],
  [
    "rspec",
    "bundle exec rspec",
    ["spec/a_spec.rb > Calc adds (a+b)"],
    [String.raw`bundle|exec|rspec|--format|documentation|-E|^Calc adds \(a\+b\)$|spec/a_spec.rb`],
  ],
  ["bats", "bats -r test", ["test/a.bats > adds"], ["bats|-r|-f|^adds$|test/a.bats"]],
  [
    "phpunit",
    "vendor/bin/phpunit tests",
    [String.raw`N\CalcTest > testA`],
    [
      String.raw`vendor/bin/phpunit|tests|--log-teamcity|php://stdout|--filter|/^N\\CalcTest::testA$/`,
    ],
  ],
  [
    "ctest",
    "ctest --test-dir build",
    ["adds", "a.b"],
    [String.raw`ctest|--test-dir|build|--no-tests=error|-R|^(adds|a\.b)$`],
  ],
];

test.each(RUNNERS)("%s: `%s` runs chosen tests only", (_, line, tests, commands) => {
  expect(narrowed(line, tests)).toEqual(commands);
});

test("every runner of the table is shown", () => {
  expect([...new Set(RUNNERS.map(([name]) => name))].sort()).toEqual(
    NARROWERS.map(({ name }) => name).sort(),
  );
});

const IN_A = ["a.test.js > adds"];

test.each([
  ["make test", IN_A],
  ["sh -c vitest", IN_A],
  ["node check.mjs", IN_A],
  ["vitest watch", IN_A],
  ["vitest run -t other", IN_A],
  ["jest --onlyChanged", IN_A],
  ["jest unit", IN_A],
  ["mocha --grep=other", IN_A],
  ["node --test --test-only", IN_A],
  ["node --test --unknown test", IN_A],
  ["node --test", ["group > adds"]],
  ["pytest --env staging tests", ["test_a.py > test_q"]],
  ["pytest -k other", ["test_a.py > test_q"]],
  ["pytest", ["test_a.py"]],
  ["go test ./... -args -x", ["m > TestA"]],
  ["go test -json ./...", ["m > TestA"]],
  ["go test ./...", ["-exec=x > TestA"]],
  ["cargo test -- --nocapture", ["tests/x.rs > adds"]],
  ["cargo test", ["tests/x.rs > --help"]],
  ["phpunit", ['CalcTest > testP with data set "one" (1)']],
  ["ctest", ["group > adds"]],
  ["npx vitest run", ["/etc/a.test.ts > adds"]],
  ["npx vitest run", ["../other/a.test.ts > adds"]],
  ["npx vitest run", ["-x/a.test.ts > adds"]],
  ["npx vitest run", [`a.test.ts > ${"x".repeat(20)}…${"x".repeat(20)}`]],
])("`%s` is not narrowed to %s", (line, tests) => {
  expect(narrowed(line, tests)).toBeUndefined();
});

test("no more tests are chosen than the limit", () => {
  const tests = Array.from(
    { length: NARROWED_TESTS_MAX + 1 },
    (_, n) => `a.test.ts > ${String(n)}`,
  );
  expect(narrowed("npx vitest run", tests.slice(1))).toHaveLength(1);
  expect(narrowed("npx vitest run", tests)).toBeUndefined();
  expect(narrowed("npx vitest run", [])).toBeUndefined();
});

test.each([
  ["npm test", "vitest run", "npm|test|--|--reporter=verbose|-t|^adds$|a.test.js"],
  ["npm -s run test", "jest", "npm|-s|run|test|--|--verbose|-t|^adds$|--runTestsByPath|a.test.js"],
  ["npm test -- --ci", "jest", "npm|test|--|--ci|--verbose|-t|^adds$|--runTestsByPath|a.test.js"],
  ["pnpm test", "vitest run", "pnpm|test|--reporter=verbose|-t|^adds$|a.test.js"],
  ["yarn run test", "vitest", "yarn|run|test|--reporter=verbose|-t|^adds$|a.test.js"],
  ["npm test", "TZ=UTC mocha 'test/**/*.js'", "npm|test|--|--reporter=spec|-g|^adds$"],
  ["npm test", "cross-env CI=1 mocha", "npm|test|--|--reporter=spec|-g|^adds$"],
  [
    "npm test",
    "node --test",
    "npm|test|--|--test-reporter=spec|--test-name-pattern=^adds$|a.test.js",
  ],
  [
    "npm test",
    "node --test test/*.js",
    "node|--test|--test-reporter=spec|--test-name-pattern=^adds$|a.test.js",
  ],
  [
    "npm test",
    "TZ=UTC node --test test/",
    "env|TZ=UTC|node|--test|--test-reporter=spec|--test-name-pattern=^adds$|a.test.js",
  ],
])("`%s`, with the script `%s`, leads to its runner", (line, script, command) => {
  const tests = /mocha/.test(script) ? ["adds"] : IN_A;
  expect(narrowed(line, tests, { test: script })).toEqual([command]);
});

test.each([
  ["npm test", { test: "tsc && vitest run" }],
  ["npm test", { test: "vitest run; true" }],
  ["npm test", { test: "vitest run | cat" }],
  ["npm test", { test: "vitest run > log" }],
  ["npm test", { test: "vitest run # all" }],
  ["npm test", { test: "(vitest run)" }],
  ["npm test", { test: "vitest run $MORE" }],
  ["npm test", { test: 'vitest run "$MORE"' }],
  ["npm test", { test: "vitest run `cat more`" }],
  ["npm test", { test: String.raw`vitest run a\ b` }],
  ["npm test", { test: "sh -c 'vitest run'" }],
  ["npm test", { test: "npm run inner", inner: "vitest run" }],
  ["npm test", { test: "vitest run", pretest: "tsc" }],
  ["npm test", { test: "vitest run", posttest: "tsc" }],
  ["npm test", { test: "'vitest run" }],
  ["npm test", { test: "tsx --test test/" }],
  ["npm test", { test: "" }],
  ["npm test", {}],
  ["npm test", undefined],
  ["npm test --ci", { test: "jest" }],
  ["npm -w a test", { test: "vitest run" }],
  ["npm run other", { test: "vitest run" }],
  ["yarn vitest run", { vitest: "vitest" }],
])("`%s`, with the scripts %o, is not narrowed", (line, scripts) => {
  expect(narrowed(line, IN_A, scripts)).toBeUndefined();
});

test("a package.json that cannot be read leads nowhere", () => {
  const argv = ["npm", "test"];
  expect(narrowCommand({ argv, manifest: "{" }, IN_A)).toBeUndefined();
  expect(narrowCommand({ argv, manifest: '{"scripts":[]}' }, IN_A)).toBeUndefined();
});
