import { TEST_NAME_CHARS_MAX } from "../../base/limits.ts";

/**
 * Lines that name a failing test in their first group, by the rules with which sessions began whose records have no
 * `tally`: one line, without file, titles and number. Never changed: such a session compares names of its whole life.
 */
const FAILING: readonly RegExp[] = [
  // TAP: a line with a directive is expected to fail.
  /^\s*not ok \d+ -? ?(?!.*(?<!\\)# (?:TODO|SKIP))(.+?)(?: # time=[\d.]+m?s(?: \{)?)?$/i,
  // node --test, spec reporter
  /^\s*✖ (?!failing tests:|\d+ problems? |.*ms\) # TODO)(.+?)(?: \([\d.]+ms\))?$/,
  // jest and vitest
  /^ ?FAIL (?!\[ *[\d.]+s\] .) *(\S.*?)(?: \([\d.]+ m?s\b[^()]*\))?$/,
  /^\s*● (?!Console$|Validation |Deprecation )(.+)$/,
  /^\s*✕ (.+?)(?: \([\d.]+ m?s\))?$/,
  /^\s*(?:×|✗) (.+?)(?: \d+ ?ms)?$/,
  // pytest
  /^FAILED ([^\s[(][^\s[]*(?:\[.*?\])?)(?: - .*)?$/,
  /^ERROR ([^\s[]+\.py(?:::[^\s[]+(?:\[.*?\])?)?)(?: - .*)?$/,
  // unittest
  /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/,
  // go
  /^\s*--- FAIL: (\S+)/,
  /^FAIL\t(\S+)(?:\t| \[)/,
  // cargo test, cargo nextest
  /^test (.+?)(?: \(line \d+\))?(?: - (?:should panic|compile fail|compile))? \.\.\. FAILED$/,
  /^\s*FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(.+)$/,
];

const FAILING_LINES_MAX = 500;

/** The names of failing tests by these rules, sorted; undefined if none were recognised. */
export function failingLines(output: string): readonly string[] | undefined {
  const names = new Set<string>();
  for (const line of output.split("\n")) {
    const name = nameIn(line);
    if (name !== undefined && names.size < FAILING_LINES_MAX) names.add(name);
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
