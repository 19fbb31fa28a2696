import { posix } from "node:path";
import { readAva } from "../printed/ava.ts";
import { readBun, readDeno, readPlaywright, readUvu } from "../printed/javascript-runs.ts";
import { readJasmine, readMocha } from "../printed/mocha-and-jasmine.ts";
import { readNodeSpec } from "../printed/node-spec.ts";
import { countLine, numberOf, totalsInWords, totalsOfAll } from "../printed/totals.ts";
import { readJest, readVitest } from "../printed/vitest-and-jest.ts";
import { modulesTaken } from "./taken-imports.ts";
import type { Printed, TestFile, TestRunner } from "./test-language.ts";

const vitest: TestRunner = {
  name: "vitest",
  isStartedBy: (_, names) => names.has("vitest"),
  // A project may have tests for several runners.
  isOwn: ({ path, text }) =>
    /\.[cm]?[jt]sx?$/.test(path) &&
    (/["']vitest["']/.test(text) || !/["']node:test["']/.test(text)),
  plantBeside: plantedAs((_, title) => {
    return `import { expect, test } from "vitest";\n${testOf("test", title, "expect(1).toBe(2)")}`;
  }),
  plantOn: plantedOn(() => ({
    head: `import { expect, test } from "vitest";\n`,
    word: "test",
    checks: EXPECTATIONS,
  })),
};

const jest: TestRunner = {
  name: "jest",
  isStartedBy: (_, names) => names.has("jest") || (names.has("react-scripts") && names.has("test")),
  isOwn: ({ path }) => /\.[cm]?[jt]sx?$/.test(path),
  plantBeside: plantedAs((file, title) => {
    const globals = file.text.includes("@jest/globals");
    const head = globals ? imported(file, "{ expect, test }", "@jest/globals") : "";
    return `${head}${testOf("test", title, "expect(1).toBe(2)")}`;
  }),
  plantOn: plantedOn((file) => ({
    head: file.text.includes("@jest/globals")
      ? imported(file, "{ expect, test }", "@jest/globals")
      : "",
    word: "test",
    checks: EXPECTATIONS,
  })),
};

const mocha: TestRunner = {
  name: "mocha",
  isStartedBy: (_, names) => names.has("mocha") || names.has("_mocha"),
  isOwn: ({ path }) => /\.[cm]?[jt]s$/.test(path),
  plantBeside: plantedAs((file, title) => {
    const word = /\bit\s*\(/.test(file.text) ? "it" : "test";
    return `${imported(file, "assert", "node:assert")}${testOf(word, title, UNEQUAL)}`;
  }),
  plantOn: plantedOn((file) => ({
    head: imported(file, "assert", "node:assert"),
    word: /\bit\s*\(/.test(file.text) ? "it" : "test",
    checks: ASSERTIONS,
    tail: ENDS,
  })),
};

const nodeTest: TestRunner = {
  name: "node",
  isStartedBy: (words, names) =>
    words.includes("--test") &&
    ["node", "nodejs", "tsx"].some((name) => names.has(name)) &&
    // If the line also starts pytest, `--test` belongs to that.
    !names.has("pytest") &&
    !names.has("py.test"),
  isOwn: ({ path, text }) => /\.[cm]?[jt]s$/.test(path) && text.includes("node:test"),
  plantBeside: plantedAs((file, title) => {
    const head = imported(file, "{ test }", "node:test") + imported(file, "assert", "node:assert");
    return `${head}${testOf("test", title, UNEQUAL)}`;
  }),
  plantOn: plantedOn((file) => ({
    head: imported(file, "{ test }", "node:test") + imported(file, "assert", "node:assert"),
    word: "test",
    checks: ASSERTIONS,
    tail: ENDS,
  })),
};

/** Runners of JavaScript and TypeScript. */
export const javascriptRunners: readonly TestRunner[] = [vitest, jest, mocha, nodeTest];

const UNEQUAL = "assert.equal(1, 2)";

const ASSERTIONS = ["assert", "assert.strict"].flatMap((assert) => [
  `${assert}(false)`,
  `${assert}.ok(false)`,
  `${assert}.equal(1, 2)`,
  `${assert}.strictEqual(1, 2)`,
  `${assert}.deepEqual([1], [2])`,
  `${assert}.deepStrictEqual([1], [2])`,
  `${assert}.throws(() => undefined)`,
]);
const EXPECTATIONS = [
  "expect(1).toBe(2)",
  "expect([1]).toEqual([2])",
  "expect([1]).toStrictEqual([2])",
  "expect(0).toBeTruthy()",
  "expect([1]).toContain(2)",
  "expect(() => undefined).toThrow()",
];
/** Ends the file if something that it loaded would keep it open for ever. */
const ENDS = "setTimeout(() => process.exit(1), 10_000).unref();\n";

function testOf(word: string, title: string, check: string): string {
  return `${word}("${title}", () => {\n  ${check};\n});\n`;
}

function isModule({ path, text }: TestFile): boolean {
  return /\.m[jt]s$/.test(path) || (!/\.c[jt]s$/.test(path) && /^import\b/m.test(text));
}

function imported(file: TestFile, names: string, from: string): string {
  return isModule(file)
    ? `import ${names} from "${from}";\n`
    : `const ${names} = require("${from}");\n`;
}

interface OnCode {
  readonly head: string;
  readonly word: string;
  /** Each fails; if one does not, the test passes. */
  readonly checks: readonly string[];
  readonly tail?: string;
}

function plantedOn(partsOf: (file: TestFile) => OnCode): NonNullable<TestRunner["plantOn"]> {
  return (file, name, loaded) => {
    const base = namedLike(posix.basename(file.path), name);
    if (base === undefined) return undefined;
    const folder = posix.dirname(file.path);
    const modules = [...new Set(loaded.flatMap((each) => modulesTaken(each, folder)))];
    if (modules.length === 0) return undefined;
    const { head, word, checks, tail = "" } = partsOf(file);
    const loads = modules.map((module) =>
      isModule(file) ? `import "${module}";\n` : `require("${module}");\n`,
    );
    const list = `const checks = [\n${checks.map((check) => `  () => ${check},\n`).join("")}];\n`;
    const title = `${name}c`;
    const body = `const passes = (check) => {\n    try {\n      check();\n      return true;\n    } catch {\n      return false;\n    }\n  };\n  if (checks.some(passes)) return;\n  ${checks.at(-1) ?? ""}`;
    const text = [...loads, head, list, testOf(word, title, body), tail].join("");
    return { path: posix.join(folder, base), title, text };
  };
}

/** Returns a planter for a file with the given text, named like the file next to it. */
function plantedAs(textOf: (file: TestFile, title: string) => string): TestRunner["plantBeside"] {
  return (file, name) => {
    const base = namedLike(posix.basename(file.path), name);
    if (base === undefined) return undefined;
    const path = posix.join(posix.dirname(file.path), base);
    return { path, title: name, text: textOf(file, name) };
  };
}

/**
 * A name like that of another file, with only the subject replaced: as in `sum.test.js`, `sum_test.js`,
 * `test-sum.js` and `sum.js`.
 */
function namedLike(file: string, name: string): string | undefined {
  const [, before = "", after = ""] =
    /^(test[-_])?.+?((?:[._-](?:test|spec|it|unit))?\.[cm]?[jt]sx?)$/.exec(file) ?? [];
  return after === "" ? undefined : `${before}${name}${after}`;
}

/** The output of these runners and of the loaders of their files. */
export const javascriptPrinted: Printed = {
  failing: [
    ...[readNodeSpec, readVitest, readJest, readMocha, readJasmine],
    ...[readAva, readUvu, readBun, readDeno, readPlaywright],
  ],
  counts: [
    // node --test, TAP and spec: `# pass 3`, `ℹ fail 0`; tape: `# pass  3`
    countLine(/^(?:#|ℹ) pass +(\d+)$/, "passed"),
    countLine(/^(?:#|ℹ) (?:fail|cancelled) +(\d+)$/, "failed"),
    countLine(/^(?:#|ℹ) skip(?:ped)? +(\d+)$/, "skipped"),
    // vitest: ` Tests  1 failed | 4 passed | 2 skipped (7)`; jest: `Tests:  1 failed, 4 passed, 5 total`
    { line: /^\s*Tests:?\s+\d+ (?:failed|passed|skipped|todo)\b/, totals: totalsInWords },
    // mocha: `  4 passing (5ms)`, `  1 failing`
    countLine(/^\s+(\d+) passing\b/, "passed"),
    countLine(/^\s+(\d+) failing$/, "failed"),
    countLine(/^\s+(\d+) pending$/, "skipped"),
    // ava prints no number of passed tests if one failed.
    countLine(/^ {2}(\d+) tests? passed$/, "passed"),
    countLine(/^ {2}(\d+) tests? failed$/, "failed"),
    countLine(/^ {2}(\d+) tests? skipped$/, "skipped"),
    // jasmine
    {
      line: /^\d+ specs?, \d+ failures?/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /(\d+) specs?,/g,
          failed: /(\d+) failures?/g,
          skipped: /(\d+) pending/g,
        }),
    },
    // uvu: all tests but skipped ones, and those that passed
    {
      line: /^ {2}Total: +\d+$/,
      totals: (line) => ({ failed: numberOf(line, /(\d+)$/g) }),
    },
    {
      line: /^ {2}Passed: +\d+$/,
      totals: (line) => {
        const passed = numberOf(line, /(\d+)$/g);
        return { passed, failed: -passed };
      },
    },
    countLine(/^ {2}Skipped: +(\d+)$/, "skipped"),
    // Playwright: `  2 passed (3.6s)`
    countLine(/^ {2}(\d+) (?:passed(?: \([\d.]+m?s\))?|flaky)$/, "passed"),
    countLine(/^ {2}(\d+) failed$/, "failed"),
    countLine(/^ {2}(\d+) skipped$/, "skipped"),
    // bun
    countLine(/^ (\d+) pass$/, "passed"),
    countLine(/^ (\d+) fail$/, "failed"),
    countLine(/^ (\d+) skip$/, "skipped"),
    // deno: `ok | 3 passed (1 step) | 0 failed | 1 ignored (5ms)`
    { line: /^(?:ok|FAILED) \| \d+ passed\b/, totals: totalsInWords },
  ],
  notLoaded:
    /Cannot find (?:module|package)|(?:ERR_)?MODULE_NOT_FOUND|Failed to (?:load|resolve)|does not provide an export|is not defined in ES module scope|ERR_(?:REQUIRE_ESM|UNKNOWN_FILE_EXTENSION|UNSUPPORTED_DIR_IMPORT|PACKAGE_PATH_NOT_EXPORTED)|Test suite failed to run|Could not (?:find|resolve)|error TS\d+|[Mm]issing script/,
  ofFile: /^\S*\.[cm]?[jt]sx?(?: \[.*\])?$|^Test suite failed to run$/,
};
