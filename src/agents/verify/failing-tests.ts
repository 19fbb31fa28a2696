import { TEST_NAME_CHARS_MAX } from "../../base/limits.ts";

/**
 * How common runners name a failing test, one line each; the first group is its name, without what is
 * different in every run (how long it took): names of two runs are compared.
 */
const FAILING = [
  // TAP (node --test, vitest, prove): a line with a directive is expected to fail.
  /^\s*not ok \d+ -? ?(?!.*(?<!\\)# (?:TODO|SKIP))(.+?)(?: # time=[\d.]+m?s(?: \{)?)?$/i,
  // node --test, spec reporter; a todo test is expected to fail. eslint ends with a line of this look.
  /^\s*✖ (?!failing tests:|\d+ problems? |.*ms\) # TODO)(.+?)(?: \([\d.]+ms\))?$/,
  // pytest: the brackets of a parameter may hold anything.
  /^FAILED ([^\s[(][^\s[]*(?:\[.*?\])?)(?: - .*)?$/,
  /^ERROR ([^\s[]+\.py(?:::[^\s[]+(?:\[.*?\])?)?)(?: - .*)?$/,
  // unittest
  /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/,
  // go test: a test, and a package, which may not even build.
  /^\s*--- FAIL: (\S+)/,
  /^FAIL\t(\S+)(?:\t| \[)/,
  // cargo test; the line of a documentation test moves with every edit.
  /^test (.+?)(?: \(line \d+\))?(?: - (?:should panic|compile fail|compile))? \.\.\. FAILED$/,
  // cargo nextest
  /^\s*FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(.+)$/,
  // jest, vitest: a file, which may not even load; vitest: a test, too.
  /^ ?FAIL +(\S.*?)(?: \([\d.]+ m?s\b[^()]*\))?$/,
  // jest; `Console` is what a file printed.
  /^\s*● (?!Console$|Validation |Deprecation )(.+)$/,
  /^\s*✕ (.+?)(?: \([\d.]+ m?s\))?$/,
  // vitest
  /^\s*(?:×|✗) (.+?)(?: \d+ ?ms)?$/,
] as const;

const FAILING_COUNT_MAX = 500;

/** Names of failing tests in the output of a test run, sorted; undefined where none could be told. */
export function failingTests(output: string): readonly string[] | undefined {
  const names = new Set<string>();
  for (const line of output.split("\n")) {
    const name = nameIn(line);
    if (name !== undefined && names.size < FAILING_COUNT_MAX) names.add(name);
  }
  return names.size === 0 ? undefined : [...names].sort();
}

function nameIn(line: string): string | undefined {
  for (const pattern of FAILING) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name.trim().slice(0, TEST_NAME_CHARS_MAX);
  }
  return undefined;
}
