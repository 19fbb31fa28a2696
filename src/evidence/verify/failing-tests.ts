import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import { TEST_NAME_CHARS_MAX } from "../../base/limits.ts";

const FAILING = TEST_LANGUAGES.flatMap(({ printed }) => printed.failing);
const FAILING_COUNT_MAX = 500;

/** The names of failing tests in the output of a test run, sorted; undefined if none were recognised. */
export function failingTests(output: string): readonly string[] | undefined {
  const names = new Set<string>();
  for (const line of output.split("\n")) {
    const name = nameIn(line);
    if (name !== undefined && names.size < FAILING_COUNT_MAX) names.add(name);
  }
  return names.size === 0 ? undefined : [...names].sort();
}

function nameIn(line: string): string | undefined {
  for (const pattern of FAILING) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name.trim().slice(0, TEST_NAME_CHARS_MAX);
  }
  return undefined;
}
