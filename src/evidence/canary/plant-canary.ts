import { posix } from "node:path";
import { failuresIn } from "../printed/all-printed.ts";
import { findTests } from "../integrity/find-tests.ts";
import type { CanaryTest, TestFile } from "../languages/test-language.ts";
import { mayMixTestsAndCode } from "../languages/all-languages.ts";
import { runnerNamed } from "../harness/runners.ts";

/**
 * Creates a failing test for a runner, next to the tests that it runs and named like them, so that whatever
 * finds those finds it, too. Undefined if no test file of that runner can serve as a pattern.
 *
 * @param runner name of the runner
 * @param name a word that no file of the project contains: lower-case letters and digits, beginning with a
 * letter
 */
export function plantCanary(
  runner: string,
  files: readonly TestFile[],
  name: string,
): CanaryTest | undefined {
  const known = runnerNamed(runner);
  if (known === undefined) return undefined;
  const own = files.filter(
    (file) => known.isOwn(file) && findTests(file.path, file.text).length > 0,
  );
  for (const pattern of own.sort(byDepth)) {
    const planted = known.plantBeside(pattern, name);
    if (planted !== undefined) return planted;
  }
  return undefined;
}

/**
 * Files near the root come first, since they are the least likely to belong to a special part. Files that hold
 * only tests come before files that mix tests and code.
 */
function byDepth(one: TestFile, other: TestFile): number {
  const depthOf = ({ path }: TestFile) =>
    path.split("/").length + (mayMixTestsAndCode(path) ? MIXED_DEPTH : 0);
  return depthOf(one) - depthOf(other) || (one.path < other.path ? -1 : 1);
}

/** A file that mixes tests and code counts as this many folders deeper. */
const MIXED_DEPTH = 9;

/**
 * How verify reacted to a canary; `unsure`: it was red, but the output does not show that the canary caused it.
 */
export type CanaryVerdict = "red" | "green" | "unsure";

/**
 * Whether verify noticed the failing test.
 *
 * @param isGreenWithout whether verify passes on the same tree without the canary: then any mention of it
 * suffices
 */
export function canaryVerdict(
  { title, path }: CanaryTest,
  end: { readonly outcome: "passed" | "failed"; readonly output: string },
  isGreenWithout: boolean,
): CanaryVerdict {
  if (end.outcome === "passed") return "green";
  const names = [...failuresIn(end.output).keys()];
  const isNamed = names.some((name) => name.includes(title) || name.includes(posix.basename(path)));
  return isNamed || (isGreenWithout && end.output.includes(title)) ? "red" : "unsure";
}
