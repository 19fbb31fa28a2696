import type { TreeAt } from "./called-by-verify.ts";
import { calledBy } from "./called-by-verify.ts";
import { standsBesideCode } from "../languages/all-languages.ts";
import type { CanaryTest } from "../languages/test-language.ts";
import { canarySeen, plantCanary, type CanarySeen } from "./plant-canary.ts";
import { runnersIn } from "./runners.ts";

/** A commit in which a failing test may be planted. */
export interface CanaryGround {
  readonly tree: TreeAt;
  readonly verify: readonly (readonly string[])[];
  readonly isTest: (path: string) => boolean;
  /** A word that nobody can foretell: small letters and digits, a letter first. */
  readonly name: string;
  /** Whether verify is known to pass on the commit as it is. */
  readonly isGreen: boolean;
  /** Runs verify on the commit with a file more, or another text of one, in a tree that is thrown away. */
  readonly runVerifyWith: (canary: CanaryTest) => Promise<CanaryRun>;
}

export type CanaryRun =
  | { readonly kind: "ran"; readonly outcome: "passed" | "failed"; readonly output: string }
  /** Verify could not be run at all. */
  | { readonly kind: "unready" }
  | { readonly kind: "stopped" };

export type CanaryEnd =
  | { readonly kind: "seen"; readonly seen: CanarySeen; readonly path: string }
  /** No runner that is known, or no test of it to plant one beside: nothing is claimed. */
  | { readonly kind: "none" }
  | { readonly kind: "stopped" };

/** Test files that are read to find one to plant beside. */
const READ_MAX = 40;

/** Plants a failing test, has verify run, and says whether verify saw it. */
export async function tryCanary(ground: CanaryGround): Promise<CanaryEnd> {
  const canary = await plantedIn(ground);
  if (canary === undefined) return { kind: "none" };
  const ran = await ground.runVerifyWith(canary);
  switch (ran.kind) {
    case "stopped":
      return ran;
    case "unready":
      return { kind: "seen", seen: "unsure", path: canary.path };
    case "ran":
      return { kind: "seen", seen: canarySeen(canary, ran, ground.isGreen), path: canary.path };
  }
}

async function plantedIn({
  tree,
  verify,
  isTest,
  name,
}: CanaryGround): Promise<CanaryTest | undefined> {
  const { lines } = await calledBy(verify, tree);
  const runners = runnersIn(lines);
  if (runners.length === 0) return undefined;
  const likely = [...tree.paths].filter((path) => isTest(path) || standsBesideCode(path));
  const nearest = likely.sort((one, other) => depthOf(one) - depthOf(other)).slice(0, READ_MAX);
  const files: { path: string; text: string }[] = [];
  for (const path of nearest) {
    const text = await tree.read(path);
    if (text !== undefined) files.push({ path, text });
  }
  for (const runner of runners) {
    const canary = plantCanary(runner, files, name);
    if (canary !== undefined) return canary;
  }
  return undefined;
}

function depthOf(path: string): number {
  return path.split("/").length;
}
