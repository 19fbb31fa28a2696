/** How many tests of a run did what, as far as its runners say so. */
export interface Totals {
  readonly passed?: number | undefined;
  readonly failed?: number | undefined;
  /** Tests that did not run. */
  readonly skipped?: number | undefined;
}

/** Lines whose numbers are added up, since a run may consist of several parts. */
export interface CountLine {
  readonly line: RegExp;
  /** What the line adds to the totals; it may take back what another line added. */
  readonly totals: (line: string) => Totals;
}

const LINES_MAX = 200_000;

/** The totals of an output; what no line tells is undefined. */
export function totalsIn(lines: readonly string[], counts: readonly CountLine[]): Totals {
  let sum: Totals = {};
  for (const line of lines.slice(0, LINES_MAX)) {
    const counted = counts.find((each) => each.line.test(line));
    if (counted !== undefined) sum = added(sum, counted.totals(line));
  }
  return sum;
}

function added(one: Totals, other: Totals): Totals {
  const of = (key: keyof Totals) =>
    one[key] === undefined && other[key] === undefined
      ? {}
      : { [key]: (one[key] ?? 0) + (other[key] ?? 0) };
  return { ...of("passed"), ...of("failed"), ...of("skipped") };
}

/** The number before, or after, one of some words; 0 if there is none. */
export function numberOf(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((sum, [, digits]) => sum + Number(digits), 0);
}

/** Totals in words, in any order: `1 failed, 4 passed, 2 skipped`. */
export function totalsInWords(line: string): Totals {
  return {
    passed: numberOf(line, /(\d+) (?:passed|xfailed|xpassed)\b/g),
    failed: numberOf(line, /(\d+) (?:failed|errors?)\b/g),
    skipped: numberOf(line, /(\d+) (?:skipped|todo|ignored)\b/g),
  };
}

/** The totals of a line that has the number of all tests, and those of the ones that did not pass. */
export function totalsOfAll(
  line: string,
  { all, failed, skipped }: Readonly<Record<"all" | "failed" | "skipped", RegExp>>,
): Totals {
  const red = numberOf(line, failed);
  const out = numberOf(line, skipped);
  return { passed: numberOf(line, all) - red - out, failed: red, skipped: out };
}

/** A line with one number, of one kind. */
export function countLine(line: RegExp, kind: keyof Totals): CountLine {
  return { line, totals: (text) => ({ [kind]: Number(line.exec(text)?.[1] ?? 0) }) };
}
