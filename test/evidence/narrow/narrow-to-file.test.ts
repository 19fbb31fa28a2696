import { expect, test } from "vitest";
import { narrowToFile } from "../../../src/evidence/narrow/narrow-command.ts";

/** The command line, with a `|` between its words. */
function narrowed(
  line: string,
  path: string,
  { script, isSeen = false }: { readonly script?: string; readonly isSeen?: boolean } = {},
): string | undefined {
  const manifest = script === undefined ? undefined : JSON.stringify({ scripts: { test: script } });
  return narrowToFile({ argv: line.split(" "), manifest }, { path, isSeen })?.join("|");
}

test.each([
  ["node --test", "test/a.js", "node|--test|--test-reporter=spec|test/a.js"],
  ["node --test", "src/a.test.mjs", "node|--test|--test-reporter=spec|src/a.test.mjs"],
  ["node --test test/", "test/a.test.js", "node|--test|--test-reporter=spec|test/a.test.js"],
  ["node --test ./test/*.js", "test/a.js", "node|--test|--test-reporter=spec|test/a.js"],
  ["npx vitest run", "test/a.test.ts", "npx|vitest|run|--reporter=verbose|test/a.test.ts"],
  ["vitest run test", "test/a.test.ts", "vitest|run|test|--reporter=verbose|test/a.test.ts"],
  ["jest --ci", "a.test.js", "jest|--ci|--verbose|--runTestsByPath|a.test.js"],
  ["mocha --exit test/*.js", "test/a.js", "mocha|--exit|--reporter=spec|test/a.js"],
  ["mocha --recursive test", "test/b/a.js", "mocha|--recursive|--reporter=spec|test/b/a.js"],
  ["pytest -q tests", "tests/unit/test_a.py", "pytest|-q|tests/unit/test_a.py"],
  ["uv run pytest .", "tests/test_a.py", "uv|run|pytest|tests/test_a.py"],
  [
    "python3 -m unittest discover -s tests -v",
    "tests/test_a.py",
    "python3|-m|unittest|discover|-s|tests|-v|-p|test_a.py",
  ],
  ["python3 -m unittest", "tests/test_a.py", "python3|-m|unittest|discover|-p|test_a.py"],
  ["bundle exec rspec spec", "spec/a_spec.rb", "bundle|exec|rspec|spec/a_spec.rb"],
])("`%s` runs `%s` alone", (line, path, command) => {
  expect(narrowed(line, path)).toBe(command);
});

test.each([
  ["node --test test/unit", "test/e2e/a.test.js"],
  ["node --test", "spec/a.js"],
  ["node --test test/**/*.test.js", "test/a.test.js"],
  ["node --test --test-only", "test/a.test.js"],
  ["vitest run unit", "e2e/a.test.ts"],
  ["vitest run --project unit", "e2e/a.test.ts"],
  ["vitest watch", "test/a.test.ts"],
  ["jest --testPathPattern=unit", "e2e/a.test.js"],
  ["jest unit", "unit/a.test.js"],
  ["mocha", "test/a.js"],
  ["mocha test", "test/deep/a.js"],
  ["mocha --grep x test", "test/a.js"],
  ["pytest", "tests/test_a.py"],
  ["pytest tests/unit", "tests/e2e/test_a.py"],
  ["pytest tests", "tests/helpers.py"],
  ["pytest -k quick tests", "tests/test_a.py"],
  ["python3 -m unittest discover -s unit", "e2e/test_a.py"],
  ["python3 -m unittest discover -p x*.py", "test_a.py"],
  ["python3 -m unittest test_a", "test_a.py"],
  ["rspec", "spec/a_spec.rb"],
  ["make test", "test/a.test.js"],
  ["npx vitest run", "../a.test.ts"],
  ["npx vitest run", "-a.test.ts"],
])("`%s` is not narrowed to `%s`, which it may not run", (line, path) => {
  expect(narrowed(line, path)).toBeUndefined();
});

test.each([
  ["pytest", "tests/test_a.py", "pytest|tests/test_a.py"],
  ["mocha", "test/a.js", "mocha|--reporter=spec|test/a.js"],
  ["rspec", "spec/a_spec.rb", "rspec|spec/a_spec.rb"],
  [
    "vitest run --project unit",
    "a.test.ts",
    "vitest|run|--project|unit|--reporter=verbose|a.test.ts",
  ],
])("`%s` is, if its output named `%s`", (line, path, command) => {
  expect(narrowed(line, path)).toBeUndefined();
  expect(narrowed(line, path, { isSeen: true })).toBe(command);
});

test("a script that is one plain command is narrowed, no other one", () => {
  const path = "test/a.test.js";
  expect(narrowed("npm test", path, { script: "vitest run" })).toBe(
    "npm|test|--|--reporter=verbose|test/a.test.js",
  );
  expect(narrowed("npm test", path, { script: "node --test test/" })).toBe(
    "node|--test|--test-reporter=spec|test/a.test.js",
  );
  expect(narrowed("npm test", path, { script: "eslint . && vitest run" })).toBeUndefined();
  expect(narrowed("npm test", path)).toBeUndefined();
});
