import { TEST_LANGUAGES } from "../languages/all-languages.ts";

const COUNTS = TEST_LANGUAGES.flatMap(({ printed }) => printed.counts);
const LINES_MAX = 200_000;

/** How many tests ran, by the output of a run; undefined: nothing in it says so. */
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
 * What a fall of the number of tests means, where none was taken away as far as the files say. Less than half,
 * or none at all, is no accident: runs are not that unlike. Anything else may be one (a table that lost a row,
 * a part that was skipped because something is not installed), and is only told.
 */
export function fallOf(before: number, after: number): "none" | "some" | "most" {
  if (after >= before) return "none";
  return after * 2 < before ? "most" : "some";
}
