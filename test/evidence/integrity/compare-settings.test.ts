import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareCommands,
  compareSettings,
  isSettings,
} from "../../../src/evidence/integrity/compare-settings.ts";

function seen(file: string, before: string, after: string | undefined): readonly string[] {
  const then = after === undefined ? [] : [[file, after] as const];
  return compareSettings(new Map([[file, before]]), new Map(then)).map(
    ({ kind, line, what, before: one, after: other }) =>
      [kind, line, what, one, other].filter((part) => part !== undefined).join(" "),
  );
}

const JEST = `module.exports = {
  coverageThreshold: {
    global: { branches: 80, lines: 90 },
  },
};
`;

test("a lowered threshold is reported with both numbers, a removed one with the old number", () => {
  expect(seen("jest.config.js", JEST, JEST.replace("90", "85.5"))).toEqual([
    "threshold 3 lines 90 85.5",
  ]);
  expect(seen("jest.config.js", JEST, JEST.replace("branches: 80, ", ""))).toEqual([
    "threshold 1 branches 80",
  ]);
  expect(seen("pyproject.toml", "[x]\nfail_under = 90\n", "[x]\nfail_under = 9\n")).toEqual([
    "threshold 2 fail_under 90 9",
  ]);
  expect(seen("spec/spec_helper.rb", "SimpleCov.minimum_coverage 90", "")).toEqual([
    "threshold 1 minimum_coverage 90",
  ]);
});

test("a threshold that is raised, unchanged or moved is not reported", () => {
  expect(seen("jest.config.js", JEST, JEST.replace("90", "95"))).toEqual([]);
  expect(seen("jest.config.js", JEST, `// moved\n${JEST.replace(/\s+/g, " ")}`)).toEqual([]);
});

test("numbers that are not thresholds are not reported", () => {
  expect(seen("vite.config.ts", "export default { lines: 90 };", "export default {};")).toEqual([]);
});

test("a changed or removed test script is reported", () => {
  const before = `{\n  "scripts": { "build": "tsc", "test": "vitest run", "test:e2e": "e2e" }\n}\n`;
  const after = `{\n  "scripts": {\n    "build": "x",\n    "test": "vitest run || true"\n  }\n}\n`;
  expect(seen("package.json", before, after)).toEqual([
    'narrowed 4 "test": "vitest run || true"',
    "command 4 test vitest run vitest run || true",
    "command 1 test:e2e e2e",
  ]);
});

test("a setting that excludes tests is reported if it is new", () => {
  const before = "export default { test: {\n  exclude: ['dist'],\n} };\n";
  expect(seen("vitest.config.ts", before, before.replace("'dist'", "'dist', 'test/slow'"))).toEqual(
    ["narrowed 2 exclude: ['dist', 'test/slow'],"],
  );
  expect(seen("vitest.config.ts", before, before.replaceAll("'", '"'))).toEqual([]);
  expect(seen("pytest.ini", "addopts = -q\n", "addopts = -q --ignore=tests/slow\n")).toEqual([
    "narrowed 1 addopts = -q --ignore=tests/slow",
  ]);
});

test("other files are not read", () => {
  expect(isSettings("src/index.ts")).toBe(false);
  expect(isSettings("packages/a/package.json")).toBe(true);
  expect(seen("src/limits.ts", "fail_under = 90", "")).toEqual([]);
});

test("changed verify commands are reported", () => {
  expect(compareCommands("config.yaml", [["npm", "test"]], [["npm", "test"]])).toEqual([]);
  expect(compareCommands("config.yaml", [["npm", "test"]], [["true"]])).toEqual([
    {
      kind: "command",
      file: "config.yaml",
      line: 1,
      what: "verify",
      before: "npm test",
      after: "true",
    },
  ]);
});

test("comparing any texts never throws, and no text is worse than itself", () => {
  const file = fc.constantFrom("package.json", "jest.config.js", "pyproject.toml", "Makefile");
  const part = fc.constantFrom(
    '"scripts": {',
    '"test": "x"',
    "coverageThreshold: 80",
    "lines: 9",
    "{",
    "}",
    "\n",
  );
  const text = fc.array(fc.oneof(part, fc.string())).map((parts) => parts.join(""));
  fc.assert(
    fc.property(file, text, text, (name, before, after) => {
      compareSettings(new Map([[name, before]]), new Map([[name, after]]));
      expect(seen(name, before, before)).toEqual([]);
    }),
  );
});
