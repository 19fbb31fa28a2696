/** How common runners name a failing test, one line each; the first group is its name. */
const FAILING = [
  // TAP (node --test, prove): a line with a directive is expected to fail.
  /^\s*not ok \d+ -? ?(?!.*# (?:TODO|SKIP))(.+?)$/i,
  // node --test, spec reporter; duration dropped.
  /^\s*✖ (?!failing tests)(.+?)(?: \(\d+(?:\.\d+)?ms\))?$/,
  // pytest
  /^FAILED (\S+)(?: - .*)?$/,
  // go test
  /^\s*--- FAIL: (\S+)/,
  // cargo test
  /^test (\S+) \.\.\. FAILED$/,
  // jest, vitest
  /^\s*● (.+ › .+)$/,
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
    if (name !== undefined) return name.trim();
  }
  return undefined;
}
