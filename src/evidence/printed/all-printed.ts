import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import { OTHER_RUNNERS } from "./other-runners.ts";
import { identityText, type FailureReader } from "./test-identity.ts";
import { totalsIn, type Totals } from "./totals.ts";

const PRINTED = [...TEST_LANGUAGES.map(({ printed }) => printed), OTHER_RUNNERS];
const READERS = PRINTED.flatMap(({ failing }) => failing);
const COUNTS = PRINTED.flatMap(({ counts }) => counts);

/** Longer lines are not names, and patterns take their time with them. */
const LINE_CHARS_MAX = 4_000;

/**
 * How often each test failed, by identity. If several runners' forms fit the same test, it counts as often as the one
 * that has it most often says.
 */
export function failuresIn(output: string): ReadonlyMap<string, number> {
  const lines = linesOf(output);
  const failures = new Map<string, number>();
  for (const reader of READERS) {
    for (const [text, count] of countedBy(reader, lines)) {
      failures.set(text, Math.max(count, failures.get(text) ?? 0));
    }
  }
  return failures;
}

function countedBy(reader: FailureReader, lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const test of reader(lines)) {
    const text = identityText(test);
    if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** The totals that runners print at the end of their runs, added up. */
export function totalsOf(output: string): Totals {
  return totalsIn(linesOf(output), COUNTS);
}

function linesOf(output: string): readonly string[] {
  return output.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX).trimEnd());
}
