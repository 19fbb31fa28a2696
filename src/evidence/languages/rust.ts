import { posix } from "node:path";
import { BLOCK, SLASHES, string } from "./bare-code.ts";
import { bracedTests } from "./brackets.ts";
import { withSections } from "./manifest-sections.ts";
import { readCargo, readNextest } from "../printed/go-and-cargo.ts";
import { totalsInWords } from "../printed/totals.ts";
import { CHECKING_NAME, type TestLanguage, type TestRunner } from "./test-language.ts";

const TEST =
  /(?:#\[[^\]\n]{0,300}\]\s{0,200}){0,9}#\[(?:\w+::){0,5}(?:test|rstest|test_case|proptest|wasm_bindgen_test)\b[^\]\n]{0,300}\]\s{0,200}(?:#\[[^\]\n]{0,300}\]\s{0,200}){0,9}(?:pub(?:\([^)\n]*\))?\s+)?(?:async\s+)?fn\s+(?<title>\w+)/g;
const SKIP = /#\[(?:ignore\b|cfg_attr\s*\([^\]\n]*\bignore\b)/;

const IN_TESTS = /(?:^|\/)tests\/[^/]+\.rs$/;

const cargo: TestRunner = {
  name: "cargo",
  isStartedBy: (_, names) => names.has("cargo") && (names.has("test") || names.has("nextest")),
  isOwn: ({ path }) => path.endsWith(".rs"),
  plantBeside: ({ path, text }, name) => {
    const body = `#[test]\nfn ${name}() {\n    assert_eq!(1, 2);\n}\n`;
    if (IN_TESTS.test(path)) {
      return { path: posix.join(posix.dirname(path), `${name}.rs`), title: name, text: body };
    }
    // A new file would have to be declared in an existing one.
    return { path, title: name, text: `${text}\n#[cfg(test)]\nmod in_${name} {\n${body}}\n` };
  },
};

/** Rust, with `cargo test` and `cargo nextest`. */
export const rust: TestLanguage = {
  extensions: [".rs"],
  marks: {
    starts: /[/"'rb]/g,
    rules: [
      SLASHES,
      BLOCK,
      string(/(?<!\w)b?r(#{0,9})"[\s\S]*?(?:"\1|$)/y),
      string(/"(?:\\[\s\S]|[^"\\])*"?/y),
      // A quote that does not close a character literal begins a lifetime.
      string(/'(?:\\[^\n]{1,10}?|[^'\\\n])'/y),
    ],
  },
  regions: ({ code }) => bracedTests(code, TEST, (attributes) => SKIP.test(attributes)),
  excludesFile: undefined,
  checks: {
    assertion: new RegExp(
      `\\b(?:debug_)?assert(?:_\\w+)?!|\\bpanic!|\\bunreachable!|#\\[should_panic|(?<![\\w.])${CHECKING_NAME}`,
      "g",
    ),
    trivial: /\bassert!\(true[,)]|\bassert_eq!\((\d+|true|false),\1[,)]/g,
    strict: /\bassert_eq!|\bassert_ne!/g,
    loose: /\bassert!/g,
    helper: /\bfn\s+(\w+)/g,
    helperEnd: "brace",
    loop: /\btest_case\b|\brstest\b|\.iter\b/,
    definedBy: /fn/,
    mayFail: /panic|unwrap|\?;/,
    isWritten: () => true,
  },
  // A file in `tests` may need others in the same folder.
  testFiles: undefined,
  mixedFiles: /^(?!(?:[^]*\/)?tests\/[^/]+\.rs$)[^]*\.rs$/,
  imports: undefined,
  settings: {
    whole: /nextest\.toml|\.cargo\/config(?:\.toml)?/,
    compared: /tarpaulin\.toml|cargo\.toml/,
    manifests: [
      {
        name: "cargo.toml",
        restored: withSections(
          /^\[\[test\]\]/,
          // Lines with which a package excludes its tests, in any section.
          /^\s*(?:autotests|test|doctest|harness)\s*=\s*false\b/,
        ),
      },
    ],
    exclusions: undefined,
    thresholds: undefined,
  },
  printed: {
    failing: [readCargo, readNextest],
    counts: [
      // One line per target.
      { line: /^test result: \w+\. \d+ passed; \d+ failed;/, totals: totalsInWords },
      // cargo nextest
      { line: /^\s*Summary \[.*\] \d+ tests? run:/, totals: totalsInWords },
    ],
    notLoaded: /could not compile|error\[E\d+\]|undefined reference/,
    ofFile: undefined,
  },
  runners: [cargo],
};
