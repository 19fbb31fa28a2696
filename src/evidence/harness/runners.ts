import { posix } from "node:path";
import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import type { TestRunner } from "../languages/test-language.ts";

const RUNNERS = TEST_LANGUAGES.flatMap(({ runners }) => runners);

/**
 * The names of the test runners that command lines start, in the order of the lines. Each line is a list of
 * words.
 */
export function runnersIn(lines: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lines.flatMap((words) => runnerStartedBy(words) ?? []))];
}

function runnerStartedBy(words: readonly string[]): string | undefined {
  const names = new Set(words.map((word) => posix.basename(word)));
  return RUNNERS.find(({ isStartedBy }) => isStartedBy(words, names))?.name;
}

/** Finds a runner by its name. */
export function runnerNamed(name: string): TestRunner | undefined {
  return RUNNERS.find((runner) => runner.name === name);
}
