import { posix } from "node:path";
import { failingTests } from "../verify/failing-tests.ts";
import { findTests } from "../integrity/find-tests.ts";
import type { CanaryTest, TestFile } from "../languages/test-language.ts";
import { standsBesideCode } from "../languages/all-languages.ts";
import { runnerNamed } from "./runners.ts";

/**
 * A failing test for a runner, beside the tests that it runs and called like them, so that whatever finds them
 * finds it. Undefined: there is no test file of that runner to take as the pattern.
 *
 * @param runner its name
 * @param name a word that no file of the project holds: small letters and digits, a letter first
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

/** The nearest to the root first: it is the least likely to be some part's own. Files for tests alone are better. */
function byDepth(one: TestFile, other: TestFile): number {
  const depthOf = ({ path }: TestFile) =>
    path.split("/").length + (standsBesideCode(path) ? WITH_CODE : 0);
  return depthOf(one) - depthOf(other) || (one.path < other.path ? -1 : 1);
}

/** As many folders deeper counts a file with code beside its tests. */
const WITH_CODE = 9;

/** What verify made of it; `unsure`: red, but not by it as far as the output says. */
export type CanarySeen = "red" | "green" | "unsure";

/**
 * Whether verify saw the failing test.
 *
 * @param isGreenWithout whether verify passes on the same tree without it: then any mention of it will do
 */
export function canarySeen(
  { title, path }: CanaryTest,
  end: { readonly outcome: "passed" | "failed"; readonly output: string },
  isGreenWithout: boolean,
): CanarySeen {
  if (end.outcome === "passed") return "green";
  const names = failingTests(end.output) ?? [];
  const isNamed = names.some((name) => name.includes(title) || name.includes(posix.basename(path)));
  return isNamed || (isGreenWithout && end.output.includes(title)) ? "red" : "unsure";
}
