import { posix } from "node:path";
import { failuresIn } from "../printed/all-printed.ts";
import { findTests } from "../integrity/find-tests.ts";
import type { CanaryTest, TestFile } from "../languages/test-language.ts";
import { mayMixTestsAndCode } from "../languages/all-languages.ts";
import { runnerNamed } from "../harness/runners.ts";

/**
 * Whose imports a failing test takes over: those of all test files, those of the one that it is like, or none. With
 * them it runs together with the code under test, which then cannot leave it alone.
 */
export type Taken = "all" | "own" | "none";

/** Files and their imports that one failing test takes over. */
const TAKEN_MAX = 40;

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
  { name, taken = "none" }: { readonly name: string; readonly taken?: Taken },
): CanaryTest | undefined {
  const known = runnerNamed(runner);
  if (known === undefined) return undefined;
  const own = files.filter(
    (file) => known.isOwn(file) && findTests(file.path, file.text).length > 0,
  );
  own.sort(byDepth);
  for (const pattern of own) {
    const loaded = taken === "all" ? own.slice(0, TAKEN_MAX) : [pattern];
    const planted =
      taken === "none" ? known.plantBeside(pattern, name) : known.plantOn?.(pattern, name, loaded);
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
 * @param taken whose imports it took over: if any, it has to fail itself, since its file may fail to load
 */
export function canaryVerdict(
  { title, path }: CanaryTest,
  end: { readonly outcome: "passed" | "failed"; readonly output: string },
  { isGreenWithout, taken = "none" }: { readonly isGreenWithout: boolean; readonly taken?: Taken },
): CanaryVerdict {
  if (end.outcome === "passed") return "green";
  const names = [...failuresIn(end.output).keys()];
  const isOfFile = (name: string) => taken === "none" && name.includes(posix.basename(path));
  const isNamed = names.some((name) => name.includes(title) || isOfFile(name));
  return isNamed || (isGreenWithout && end.output.includes(title)) ? "red" : "unsure";
}
