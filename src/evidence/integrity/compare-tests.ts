import { findTests } from "./find-tests.ts";
import { matchTests } from "./match-tests.ts";
import type { Tampering } from "./tampering.ts";
import type { TestCase } from "./test-case.ts";

/** Texts of files by their paths in the repository. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Compares the tests at both ends of a range. Pure and total: it never throws, whatever the files hold. Tests
 * that were moved, renamed, regrouped or reformatted count as the same tests; new tests are ignored.
 *
 * @param before the test files at the start of the range, at least those that the range changed
 * @param after the same files at its end, and those that it added
 */
export function compareTests(before: Texts, after: Texts): readonly Tampering[] {
  const one = testsIn(before);
  const other = testsIn(after);
  const { pairs, missing } = matchTests(one, other);
  const found = [
    ...missing.map(deleted),
    ...pairs.flatMap((pair) => changed(pair.before, pair.after)),
  ];
  return found.toSorted(
    (first, second) => compare(first.file, second.file) || first.line - second.line,
  );
}

function testsIn(texts: Texts): readonly TestCase[] {
  return [...texts].flatMap(([file, text]) => findTests(file, text));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function deleted(test: TestCase): Tampering {
  return { kind: "deleted", file: test.file, line: test.line, what: nameOf(test) };
}

function changed(before: TestCase, after: TestCase): readonly Tampering[] {
  const was = { file: before.file, what: nameOf(before) };
  const now = { file: after.file, what: nameOf(after) };
  const isSame = was.file === now.file && was.what === now.what;
  const at = { ...now, line: after.line, ...(isSame ? {} : { was }) };
  const found: Tampering[] = [];
  if (after.isSkipped && !before.isSkipped) found.push({ kind: "skipped", ...at });
  if (after.isFocused && !before.isFocused) found.push({ kind: "focused", ...at });
  const less = lessChecked(before, after);
  if (less === undefined) return found;
  const counts = { before: countOf(before), after: countOf(after) };
  return [...found, { kind: less, ...at, ...counts }];
}

function lessChecked(
  before: TestCase,
  after: TestCase,
): "emptied" | "weakened" | "loosened" | undefined {
  if (before.assertions === 0) return undefined;
  if (after.assertions === 0) return "emptied";
  // One check in a loop may replace many, so the counts say nothing.
  const isTable = after.hasLoop && !before.hasLoop;
  if (after.assertions < before.assertions && !isTable) return "weakened";
  const isLooser = after.strict < before.strict && after.loose > before.loose;
  return isLooser ? "loosened" : undefined;
}

function countOf({ assertions, strict }: TestCase): string {
  return `${String(assertions)} ${assertions === 1 ? "check" : "checks"}, ${String(strict)} strict`;
}

function nameOf({ path }: TestCase): string {
  return path.join(" > ");
}
