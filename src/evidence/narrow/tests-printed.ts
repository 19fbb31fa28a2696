import { cleanText } from "../../base/words/clean-text.ts";
import { failingTests, withoutTree } from "../verify/failing-tests.ts";
import { judgeNarrowed, type NarrowedTests } from "./judge-narrowed.ts";
import type { NarrowedCommand } from "./narrow-command.ts";

/** Of a longer output, in bytes, nothing is read, and so nothing is known of the tests. */
export const NARROWED_OUTPUT_MAX = 16 * 1024 * 1024;

/**
 * What the output of a narrowed command says of its tests.
 *
 * @param trees the folder of the verify trees, which is no part of a test's name
 */
export function testsPrinted(
  { tests, passed }: Pick<NarrowedCommand, "tests" | "passed">,
  printed: string,
  trees: string,
): NarrowedTests {
  const output = cleanText(printed, { charsMax: NARROWED_OUTPUT_MAX, lines: "many" });
  const lines = withoutTree(output, trees).split("\n");
  return judgeNarrowed(tests, {
    passed: passed(lines.map((line) => line.trimEnd())),
    failed: failingTests({ output, isCut: false, trees }).failing ?? [],
  });
}
