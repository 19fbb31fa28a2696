import { TEST_LANGUAGES } from "../languages/all-languages.ts";

const COUNTS = TEST_LANGUAGES.flatMap(({ printed }) => printed.counts);
const LINES_MAX = 200_000;

/** How many tests ran, according to the output of a run; undefined if the output does not tell. */
export function testCount(output: string): number | undefined {
  let sum: number | undefined;
  for (const line of output.split("\n").slice(0, LINES_MAX)) {
    const text = line.trimEnd();
    const counted = COUNTS.find((each) => each.line.test(text));
    if (counted !== undefined) sum = (sum ?? 0) + counted.count(text);
  }
  return sum;
}

/**
 * Classifies a drop in the number of tests, in a range where no test file lost one. Fewer than half, or none at
 * all, is no accident, because runs do not vary that much. A smaller drop may be one (a table lost a row, or a
 * part was skipped because something is not installed), and is only reported.
 */
export function fallOf(before: number, after: number): "none" | "some" | "most" {
  if (after >= before) return "none";
  return after * 2 < before ? "most" : "some";
}
