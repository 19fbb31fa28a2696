import { TEST_LANGUAGES, ofAnyLanguage, testLanguageOf } from "../languages/all-languages.ts";
import { withoutTrivial } from "./assertions.ts";
import type { Texts } from "./compare-tests.ts";
import { findTests } from "./find-tests.ts";
import { matchTests } from "./match-tests.ts";
import type { TestCase } from "./test-case.ts";

/**
 * The tests that a range added and that check nothing, whatever the code under test does. Pure and total. A
 * test is reported only if nothing suggests that it checks: any helper may check, and a test may exist to show
 * that nothing is thrown.
 *
 * @param before the test files at the start of the range, at least those that the range changed
 * @param after the same files at its end, and those that it added
 */
export function unassertedTests(before: Texts, after: Texts): readonly TestCase[] {
  const now = testsIn(after);
  const paired = new Set(matchTests(testsIn(before), now).pairs.map((pair) => pair.after));
  return now.filter((test) => {
    if (paired.has(test) || test.isSkipped || test.assertions > 0) return false;
    const source = after.get(test.file) ?? "";
    return !mayCheck(
      test,
      source,
      now.filter(({ file }) => file === test.file),
    );
  });
}

function testsIn(texts: Texts): readonly TestCase[] {
  return [...texts].flatMap(([file, text]) => findTests(file, text));
}

/** Words for anything that may fail: from assertion libraries, and from the names of helpers. */
const CHECKS = ofAnyLanguage(
  ({ checks }) => checks.mayFail,
  [
    /assert|expect|check|verif|should|must|ensure|requir|valid|match|equal|same|thr[eo]w|raise|reject|resolve/,
    /snapshot|fail|golden|approv|\bplan\b|compare|diff|proper|forall|prove|wait|until|eventually|poll/,
  ],
  "i",
);
/** Titles of tests that show only that something can be done at all. */
const SHOWS_ONLY =
  /thr[eo]w|crash|error|rais|panic|fail|smoke|compil|type|render|import|load|start|open|close|run|does ?n[o']t|without|never|\bno\b|\bnot\b|can\b/i;
/** A test that passes itself, or its means of checking, to another function. */
const PASSES_CONTEXT = /\w\s*\([^()]*\b(?:t|tt|tb|ctx|assert|expect|self|this|done)\s*[,)]/;
/** Names of modules that contain test helpers. */
const HELPERS =
  /help|util|support|fixture|common|testing|harness|rig\b|setup|shared|conftest|steps/i;

function mayCheck(test: TestCase, source: string, otherTests: readonly TestCase[]): boolean {
  const title = test.path.at(-1) ?? "";
  const checks = testLanguageOf(test.file)?.checks;
  if (checks?.isWritten(test.text) !== true || title.startsWith("Example")) return true;
  const body = withoutTrivial(test.text.replace(title, ""), checks);
  if (CHECKS.test(body) || SHOWS_ONLY.test(title) || PASSES_CONTEXT.test(body)) return true;
  if (source.includes("@ts-expect-error")) return true;
  const outside = otherTests.reduce((text, other) => text.replace(other.text, ""), source);
  const isHelped = namesOutside(outside).some((name) => body.includes(`${name}(`));
  return isHelped || /\b(?:after|teardown)/i.test(outside) || callsParameter(body);
}

const DEFINITION = new RegExp(
  `\\b(?:${ofAnyLanguage(({ checks }) => checks.definedBy).source})\\s+(\\w+)\\s*(?:=\\s*(?:async\\b|\\(|function\\b|\\w+\\s*=>)|[(<])`,
  "g",
);

/** The functions that the file defines, and those that it imports from modules of helpers. */
function namesOutside(outside: string): readonly string[] {
  const own = [...outside.matchAll(DEFINITION)].map(([, name = ""]) => name);
  const imports = TEST_LANGUAGES.flatMap((language) =>
    language.imports === undefined ? [] : [...outside.matchAll(language.imports.named)],
  );
  const imported = imports.flatMap(({ groups: { module = "", names = "" } = {} }) =>
    HELPERS.test(module) ? (names.match(/\w+/g) ?? []) : [],
  );
  return [...own, ...imported].filter((name) => name.length > 1);
}

/** Whether a test calls one of its parameters: fixtures are passed in, and may check. */
function callsParameter(body: string): boolean {
  const [, list = ""] = /\bdef\s+\w*\s*\(([^)]*)\)/.exec(body) ?? [];
  const names = list.match(/\w+/g) ?? [];
  return names.some(
    (name) =>
      name !== "self" && new RegExp(`\\b${name}\\s*\\(`).test(body.slice(body.indexOf(")"))),
  );
}
