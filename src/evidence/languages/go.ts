import { posix } from "node:path";
import { readGo } from "../printed/go-and-cargo.ts";
import { BLOCK, DOUBLE, SINGLE, SLASHES, string } from "./bare-code.ts";
import { bracedTests } from "./brackets.ts";
import { CHECKING_NAME, type TestLanguage, type TestRunner } from "./test-language.ts";

const TEST = /^func\s+(?<title>(?:Test|Fuzz|Example)\w*)\s*\(/gm;
const SKIP = /\b[tbf]\.Skip(?:f|Now)?\s*\(/;

const goTest: TestRunner = {
  name: "go",
  isStartedBy: (_, names) => (names.has("go") && names.has("test")) || names.has("gotestsum"),
  isOwn: ({ path }) => /_test\.go$/.test(path),
  plantBeside: ({ path, text }, name) => {
    const own = /^package\s+\w+/m.exec(text)?.[0];
    if (own === undefined) return undefined;
    const title = `Test${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const body = `import "testing"\n\nfunc ${title}(t *testing.T) { t.Error("stays red") }\n`;
    const place = posix.join(posix.dirname(path), `${name}_test.go`);
    return { path: place, title, text: `${own}\n\n${body}` };
  },
};

/** Go, with its own `testing` and libraries based on it. */
export const go: TestLanguage = {
  extensions: [".go"],
  marks: { starts: /[/"'`]/g, rules: [SLASHES, BLOCK, DOUBLE, SINGLE, string(/`[^`]*`?/y)] },
  regions: ({ code }) => bracedTests(code, TEST, (_, body) => SKIP.test(body)),
  excludesFile: /^\/\/\s*(?:go:build|\+build)\s+ignore\b/m,
  checks: {
    assertion: new RegExp(
      `\\b[tbf]\\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\\s*\\(|\\b(?:assert|require|is)\\.\\w+\\s*\\(|(?<![\\w.])${CHECKING_NAME}`,
      "g",
    ),
    trivial: /\b(?:assert|require)\.True\(t,true[,)]|\b(?:assert|require)\.Equal\(t,(\d+),\1[,)]/g,
    strict: /\b(?:assert|require|is)\.(?:Equal\w*|Len|Exactly|JSONEq|ErrorIs|EqualError)\s*\(/g,
    loose:
      /\b(?:assert|require|is)\.(?:True|NotNil|NotEmpty|NoError|Error|Contains|NotPanics)\s*\(/g,
    helper: /^func\s+(?:\([^)\n]*\)\s*)?(\w+)\s*\(/gm,
    helperEnd: "brace",
    loop: /\bt\.Run\b/,
    definedBy: /func/,
    mayFail: /\bt\.\w+\s*\(/,
    isWritten: () => true,
  },
  testFiles: /_test\.go$/,
  mixedFiles: undefined,
  imports: undefined,
  settings: {
    whole: /go\.work/,
    compared: undefined,
    manifests: [],
    exclusions: undefined,
    thresholds: undefined,
  },
  printed: {
    failing: [readGo],
    // From `go test -v` and from `-json`; without these flags go reports no numbers but those of failed tests.
    counts: [
      { line: /^\s*--- PASS: \S/, totals: () => ({ passed: 1 }) },
      { line: /^\s*--- FAIL: \S/, totals: () => ({ failed: 1 }) },
      { line: /^\s*--- SKIP: \S/, totals: () => ({ skipped: 1 }) },
      { line: /^\{.*"Action":"pass".*"Test":"/, totals: () => ({ passed: 1 }) },
      { line: /^\{.*"Action":"fail".*"Test":"/, totals: () => ({ failed: 1 }) },
      { line: /^\{.*"Action":"skip".*"Test":"/, totals: () => ({ skipped: 1 }) },
    ],
    notLoaded: /\[(?:build|setup) failed\]/,
    // A package.
    ofFile: /^[\w.-]+(?:\/[\w.-]+)+$/,
  },
  runners: [goTest],
};
