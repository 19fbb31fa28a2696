import type { TreeAt } from "../harness/called-by-verify.ts";
import { calledBy } from "../harness/called-by-verify.ts";
import { mayMixTestsAndCode, testLanguageOf } from "../languages/all-languages.ts";
import type { CanaryTest } from "../languages/test-language.ts";
import { canaryVerdict, plantCanary, type CanaryVerdict, type Taken } from "./plant-canary.ts";
import { runnersIn } from "../harness/runners.ts";

/** A commit in which a failing test may be planted, and which one. */
export interface CanaryPlan {
  readonly tree: TreeAt;
  readonly verify: readonly (readonly string[])[];
  readonly isTest: (path: string) => boolean;
  /** An unpredictable word: lower-case letters and digits, beginning with a letter. */
  readonly name: string;
  /** Whose imports it takes over; absent: nobody's. */
  readonly taken?: Taken;
}

/** How to run verify there, too. */
export interface CanarySite extends CanaryPlan {
  /** Whether verify is known to pass on the commit as it is. */
  readonly isGreen: boolean;
  /**
   * Runs verify on the commit with the canary's file added or replaced, in a tree that is discarded afterwards.
   */
  readonly runVerifyWith: (canary: CanaryTest) => Promise<CanaryRun>;
}

export type CanaryRun =
  | { readonly kind: "ran"; readonly outcome: "passed" | "failed"; readonly output: string }
  /** Verify could not run at all. */
  | { readonly kind: "unready" }
  | { readonly kind: "stopped" };

export type CanaryEnd =
  | { readonly kind: "judged"; readonly verdict: CanaryVerdict; readonly path: string }
  /** Verify starts no known runner, or has no test to use as a pattern: nothing is claimed. */
  | { readonly kind: "none" }
  | { readonly kind: "stopped" };

/** At most this many test files, in languages that wisp knows, are read in search of a pattern. */
const READ_MAX = 400;

/** Plants a failing test, runs verify, and reports whether verify noticed it. */
export async function tryCanary(site: CanarySite): Promise<CanaryEnd> {
  const canary = await canaryIn(site);
  if (canary === undefined) return { kind: "none" };
  const ran = await site.runVerifyWith(canary);
  switch (ran.kind) {
    case "stopped":
      return ran;
    case "unready":
      return { kind: "judged", verdict: "unsure", path: canary.path };
    case "ran":
      return {
        kind: "judged",
        verdict: canaryVerdict(canary, ran, {
          isGreenWithout: site.isGreen,
          taken: site.taken ?? "none",
        }),
        path: canary.path,
      };
  }
}

/** The failing test for a commit; undefined if there is no known runner, or no test of it to be like. */
export async function canaryIn({
  tree,
  verify,
  isTest,
  name,
  taken = "none",
}: CanaryPlan): Promise<CanaryTest | undefined> {
  const { lines } = await calledBy(verify, tree);
  const runners = runnersIn(lines);
  if (runners.length === 0) return undefined;
  const likely = [...tree.paths].filter(
    (path) => mayMixTestsAndCode(path) || (isTest(path) && testLanguageOf(path) !== undefined),
  );
  const nearest = likely.sort((one, other) => depthOf(one) - depthOf(other)).slice(0, READ_MAX);
  const files: { path: string; text: string }[] = [];
  for (const path of nearest) {
    const text = await tree.read(path);
    if (text !== undefined) files.push({ path, text });
  }
  for (const runner of runners) {
    const canary = plantCanary(runner, files, { name, taken });
    if (canary !== undefined) return canary;
  }
  return undefined;
}

function depthOf(path: string): number {
  return path.split("/").length;
}
