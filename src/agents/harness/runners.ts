import { posix } from "node:path";
import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import type { TestRunner } from "../languages/test-language.ts";

const RUNNERS = TEST_LANGUAGES.flatMap(({ runners }) => runners);

/** The names of those that lines of commands start, each line as its words; in the order of the lines. */
export function runnersIn(lines: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lines.flatMap((words) => runnerStartedBy(words) ?? []))];
}

function runnerStartedBy(words: readonly string[]): string | undefined {
  const names = new Set(words.map((word) => posix.basename(word)));
  return RUNNERS.find(({ isStartedBy }) => isStartedBy(words, names))?.name;
}

/** A runner by its name. */
export function runnerNamed(name: string): TestRunner | undefined {
  return RUNNERS.find((runner) => runner.name === name);
}
