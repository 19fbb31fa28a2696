import { checksIn, hasAllHelpers, hasLoop, helpersIn, type Checks } from "./assertions.ts";
import { testLanguageOf } from "../languages/all-languages.ts";
import { bareCode, type BareCode } from "../languages/bare-code.ts";
import type { CheckWords, Region } from "../languages/test-language.ts";
import type { TestCase } from "./test-case.ts";

/** Larger files are generated or hostile; their tests are not identified. */
const SOURCE_CHARS_MAX = 512 * 1024;

/** With more tests than this, a file may have had more than are looked for: what looks like one and is none counts there. */
const TESTS_MAX = 2_000;
/** A shorter file cannot exceed the other limits. */
const LONG_CHARS_MIN = 16 * 1024;

/** Whether all tests of a file are identified; also true if its language is unknown. */
export function isReadWhole(file: string, source: string): boolean {
  const language = testLanguageOf(file);
  if (language === undefined || source.length < LONG_CHARS_MIN) return true;
  if (source.length > SOURCE_CHARS_MAX) return false;
  const bare = bareCode(source, language.marks);
  return language.regions(bare).length < TESTS_MAX && hasAllHelpers(bare, language.checks);
}

/** The tests of a file, in order; empty if the language is unknown. Never throws, whatever the text. */
export function findTests(file: string, source: string): readonly TestCase[] {
  const language = testLanguageOf(file);
  if (language === undefined || source.length > SOURCE_CHARS_MAX) return [];
  const { checks, excludesFile } = language;
  const bare = bareCode(source, language.marks);
  const helpers = callsOf(helpersIn(bare, checks));
  const isExcluded = excludesFile?.test(source) === true;
  const lineOf = lineCounter(source);
  const around: Region[] = [];
  return language.regions(bare).flatMap((region) => {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= region.start) around.pop();
    const groups = around.filter(({ kind }) => kind === "group");
    // A test inside a test, such as a function in a table, belongs to the outer one.
    const isInside = around.some(({ kind }) => kind === "test");
    around.push(region);
    if (region.kind === "group" || isInside) return [];
    const line = lineOf(region.start + indentLength(bare.code, region.start));
    const isSkipped = isExcluded || [...groups, region].some((each) => each.isSkipped);
    const place = { file, line, isSkipped, path: [...groups, region].map(({ title }) => title) };
    const isFocused = [...groups, region].some((each) => each.isFocused);
    return [{ ...place, isFocused, ...contentOf(bare, region, { checks, helpers }) }];
  });
}

/** The titles of a file's tests, without those of their groups; empty if the language is unknown. */
export function testTitles(file: string, source: string): readonly string[] {
  const titles = findTests(file, source).map(({ path }) => path.at(-1) ?? "");
  return titles.filter((title) => title !== "");
}

interface HelperCall extends Checks {
  readonly call: RegExp;
}

function callsOf(helpers: ReadonlyMap<string, Checks>): readonly HelperCall[] {
  return [...helpers].map(([name, checks]) => ({
    ...checks,
    call: new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"),
  }));
}

function contentOf(
  bare: BareCode,
  region: Region,
  { checks, helpers }: { readonly checks: CheckWords; readonly helpers: readonly HelperCall[] },
): Pick<TestCase, "text" | "assertions" | "strict" | "loose" | "hasLoop"> {
  const code = bare.code.slice(region.start, region.end);
  let { assertions, strict, loose } = checksIn(bare, region, checks);
  for (const helper of helpers) {
    const calls = code.match(helper.call)?.length ?? 0;
    assertions += calls * helper.assertions;
    strict += calls * helper.strict;
    loose += calls * helper.loose;
  }
  const text = bare.text.slice(region.start, region.end);
  return { text, assertions, strict, loose, hasLoop: hasLoop(code) };
}

/** The length of the white space at the start of a region. */
function indentLength(code: string, start: number): number {
  const [lead = ""] = /^\s{0,200}/.exec(code.slice(start, start + 200)) ?? [];
  return lead.length;
}

/** Returns a function from offsets to line numbers; each offset must be at least as large as the one before. */
function lineCounter(source: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (; counted < offset; counted++) if (source.charCodeAt(counted) === 10) line++;
    return line;
  };
}
