import { posix } from "node:path";
import { failingTests } from "../verify/failing-tests.ts";
import { findTests } from "../integrity/find-tests.ts";
import type { Runner } from "./runners.ts";

/** A test that fails, and the file that it is in; nobody who wrote the project knows its name. */
export interface CanaryTest {
  readonly path: string;
  /** The whole of the file. */
  readonly text: string;
  /** By which it is known in what a runner prints. */
  readonly title: string;
}

/** A file with tests of the project. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/**
 * A failing test for a runner, beside the tests that it runs and called like them, so that whatever finds them
 * finds it. Undefined: there is no test file of that runner to take as the pattern.
 *
 * @param name a word that no file of the project holds: small letters and digits, a letter first
 */
export function plantCanary(
  runner: Runner,
  files: readonly TestFile[],
  name: string,
): CanaryTest | undefined {
  const own = files.filter((file) => isOf(runner, file)).sort(byDepth);
  for (const pattern of own) {
    const planted = beside(runner, pattern, name);
    if (planted !== undefined) return planted;
  }
  return undefined;
}

const ENDINGS: Readonly<Record<Runner, RegExp>> = {
  node: /\.[cm]?[jt]s$/,
  vitest: /\.[cm]?[jt]sx?$/,
  jest: /\.[cm]?[jt]sx?$/,
  mocha: /\.[cm]?[jt]s$/,
  pytest: /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$/,
  go: /_test\.go$/,
  cargo: /\.rs$/,
};

const IN_TESTS = /(?:^|\/)tests\/[^/]+\.rs$/;

function isOf(runner: Runner, { path, text }: TestFile): boolean {
  if (!ENDINGS[runner].test(path) || findTests(path, text).length === 0) return false;
  // A project may have tests for several runners; of two that look alike nothing is known.
  if (runner === "node") return text.includes("node:test");
  return runner !== "vitest" || /["']vitest["']/.test(text) || !/["']node:test["']/.test(text);
}

/** The nearest to the root first: it is the least likely to be some part's own. */
function byDepth(one: TestFile, other: TestFile): number {
  // In Rust a file for tests alone is better than one with code beside them.
  const [first, second] = [one, other].map(
    ({ path }) => path.split("/").length + (path.endsWith(".rs") && !IN_TESTS.test(path) ? 9 : 0),
  );
  return (first ?? 0) - (second ?? 0) || (one.path < other.path ? -1 : 1);
}

function beside(runner: Runner, { path, text }: TestFile, name: string): CanaryTest | undefined {
  const file = posix.basename(path);
  const at = (base: string) => posix.join(posix.dirname(path), base);
  switch (runner) {
    case "pytest": {
      const base = file.startsWith("test_") ? `test_${name}.py` : `${name}_test.py`;
      const title = `test_${name}`;
      return { path: at(base), title, text: `def ${title}():\n    assert 1 == 2\n` };
    }
    case "go": {
      const own = /^package\s+\w+/m.exec(text)?.[0];
      const title = `Test${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const body = `import "testing"\n\nfunc ${title}(t *testing.T) { t.Error("stays red") }\n`;
      return own === undefined
        ? undefined
        : { path: at(`${name}_test.go`), title, text: `${own}\n\n${body}` };
    }
    case "cargo": {
      const body = `#[test]\nfn ${name}() {\n    assert_eq!(1, 2);\n}\n`;
      if (IN_TESTS.test(path)) {
        return { path: at(`${name}.rs`), title: name, text: body };
      }
      // A file of its own would have to be named by another one.
      return { path, title: name, text: `${text}\n#[cfg(test)]\nmod in_${name} {\n${body}}\n` };
    }
    default: {
      const base = calledLike(file, name);
      return base === undefined
        ? undefined
        : { path: at(base), title: name, text: scriptText(runner, { path, text }, name) };
    }
  }
}

/** `sum.test.js`, `sum_test.js`, `test-sum.js`, `sum.js`: the part that says what it is about is another. */
function calledLike(file: string, name: string): string | undefined {
  const [, before = "", after = ""] =
    /^(test[-_])?.+?((?:[._-](?:test|spec|it|unit))?\.[cm]?[jt]sx?)$/.exec(file) ?? [];
  return after === "" ? undefined : `${before}${name}${after}`;
}

function scriptText(runner: Runner, { path, text }: TestFile, title: string): string {
  const isModule = /\.m[jt]s$/.test(path) || (!/\.c[jt]s$/.test(path) && /^import\b/m.test(text));
  const imported = (names: string, from: string) =>
    isModule ? `import ${names} from "${from}";\n` : `const ${names} = require("${from}");\n`;
  const body = (test: string, check: string) => `${test}("${title}", () => {\n  ${check};\n});\n`;
  const unequal = "assert.equal(1, 2)";
  switch (runner) {
    case "vitest":
      return `import { expect, test } from "vitest";\n${body("test", "expect(1).toBe(2)")}`;
    case "jest": {
      const globals = text.includes("@jest/globals");
      const head = globals ? imported("{ expect, test }", "@jest/globals") : "";
      return `${head}${body("test", "expect(1).toBe(2)")}`;
    }
    case "mocha":
      return `${imported("assert", "node:assert")}${body(/\bit\s*\(/.test(text) ? "it" : "test", unequal)}`;
    default:
      return `${imported("{ test }", "node:test")}${imported("assert", "node:assert")}${body("test", unequal)}`;
  }
}

/** What verify made of it; `unsure`: red, but not by it as far as the output says. */
export type CanarySeen = "red" | "green" | "unsure";

/**
 * Whether verify saw the failing test.
 *
 * @param isGreenWithout whether verify passes on the same tree without it: then any mention of it will do
 */
export function canarySeen(
  { title, path }: CanaryTest,
  end: { readonly outcome: "passed" | "failed"; readonly output: string },
  isGreenWithout: boolean,
): CanarySeen {
  if (end.outcome === "passed") return "green";
  const names = failingTests(end.output) ?? [];
  const isNamed = names.some((name) => name.includes(title) || name.includes(posix.basename(path)));
  return isNamed || (isGreenWithout && end.output.includes(title)) ? "red" : "unsure";
}
