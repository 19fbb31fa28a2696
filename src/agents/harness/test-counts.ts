/** How common runners say how many tests ran, passed or failed; those that were skipped did not run. */
interface Format {
  /** Lines that are summed up; those of one format, from as many parts as there are. */
  readonly line: RegExp;
  /** Tests that such a line counts. */
  readonly count: (line: string) => number;
}

const FORMATS: readonly Format[] = [
  // node --test, TAP and spec: `# pass 3`, `ℹ fail 0`
  { line: /^(?:#|ℹ) (?:pass|fail|cancelled) \d+$/, count: (line) => numberIn(line, /(\d+)$/) },
  // vitest: ` Tests  1 failed | 4 passed | 2 skipped (7)`; jest: `Tests:  1 failed, 4 passed, 5 total`
  { line: /^\s*Tests:?\s+\d+ (?:failed|passed|skipped|todo)\b/, count: ran },
  // mocha: `  4 passing (5ms)`, `  1 failing`
  { line: /^\s+\d+ (?:passing|failing)\b/, count: (line) => numberIn(line, /(\d+)/) },
  // pytest: `== 1 failed, 4 passed, 2 skipped in 0.12s ==`, with -q without the marks
  {
    line: /^(?:=+ )?\d+ (?:failed|passed|skipped|errors?|deselected|x\w+)\b.* in [\d.]+s/,
    count: ran,
  },
  { line: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s/, count: () => 0 },
  // unittest
  { line: /^Ran \d+ tests? in [\d.]+s$/, count: (line) => numberIn(line, /(\d+)/) },
  // go test -v; -json. Without either it counts nothing.
  { line: /^\s*--- (?:PASS|FAIL): \S/, count: () => 1 },
  { line: /^\{.*"Action":"(?:pass|fail)".*"Test":"/, count: () => 1 },
  // cargo test: one line for each target
  { line: /^test result: \w+\. \d+ passed; \d+ failed;/, count: ran },
  // cargo nextest
  {
    line: /^\s*Summary \[.*\] \d+ tests? run:/,
    count: (line) => numberIn(line, /(\d+) tests? run/),
  },
];

function numberIn(line: string, pattern: RegExp): number {
  return Number(pattern.exec(line)?.[1] ?? 0);
}

/** Of a summary in words: those that ended as passed or failed, in whatever order. */
function ran(line: string): number {
  return [...line.matchAll(/(\d+) (?:failed|passed|xfailed|xpassed)\b/g)].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );
}

const LINES_MAX = 200_000;

/** How many tests ran, by the output of a run; undefined: nothing in it says so. */
export function testCount(output: string): number | undefined {
  let sum: number | undefined;
  for (const line of output.split("\n").slice(0, LINES_MAX)) {
    const text = line.trimEnd();
    const format = FORMATS.find((each) => each.line.test(text));
    if (format !== undefined) sum = (sum ?? 0) + format.count(text);
  }
  return sum;
}

/**
 * What a fall of the number of tests means, where none was taken away as far as the files say. Less than half,
 * or none at all, is no accident: runs are not that unlike. Anything else may be one (a table that lost a row,
 * a part that was skipped because something is not installed), and is only told.
 */
export function fallOf(before: number, after: number): "none" | "some" | "most" {
  if (after >= before) return "none";
  return after * 2 < before ? "most" : "some";
}
