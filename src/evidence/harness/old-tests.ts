import type { Oid } from "../../base/oid.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import type { Texts } from "../integrity/compare-tests.ts";
import type { OldTests } from "../../work/verify-trees.ts";
import { isDataForTests } from "./data-of-tests.ts";

/**
 * What old tests run by: all that they ran by at their own commit; the same without what verify leads to and nothing shows
 * to be part of the tests; also without data and names of modules that nothing shows to be; or what runs the tests now.
 */
export type RunBy = "old-harness" | "old-checks" | "old-checks-alone" | "new-harness";

/** The ways in which old tests run by what ran them then, in order: each leaves more as it is now. */
export const OLD_HARNESS_WAYS = ["old-harness", "old-checks", "old-checks-alone"] as const;

/** Whether such a run leaves out what may be the product, so that the success of another one does not replace it. */
export function isPartial(by: RunBy): boolean {
  return by === "old-checks" || by === "old-checks-alone";
}

/** The ways in which what the old harness restores has to run in part, because the rest may be the product. */
export function partialWays(
  changed: Pick<ChangedTests, "harness" | "commands" | "old">,
): readonly RunBy[] {
  const seen: number[] = [0];
  return OLD_HARNESS_WAYS.filter((by) => {
    const isRestored = changed.old.length + harnessFiles(changed, by).length > 0;
    const count = withheldIn(changed, by).length;
    // The same as another one, if it leaves out no more.
    const isOther = !seen.includes(count);
    seen.push(count);
    return isRestored && isOther;
  });
}

/** The harness files that a range changed and that such a run restores. */
export function harnessFiles(
  { harness, commands }: Pick<ChangedTests, "harness" | "commands">,
  by: RunBy = "old-harness",
): readonly string[] {
  if (by === "new-harness") return [];
  const texts = [...textsIn({ harness }, by)].filter(([path, text]) => commands.get(path) !== text);
  const overlaid = overlaidIn({ harness }, by);
  return [...new Set([...overlaid, ...harness.removed, ...texts.map(([path]) => path)])].sort();
}

/** The files that such a run leaves as they are, at least in part, because they may be the product under test. */
export function withheldIn(
  { harness }: Pick<ChangedTests, "harness">,
  by: RunBy,
): readonly string[] {
  const { doubtful, data, mapped } = harness;
  if (by !== "old-checks-alone") return by === "old-checks" ? doubtful : [];
  return [...doubtful, ...data.filter((path) => !isDataForTests(path)), ...mapped.keys()];
}

/** What such a run restores besides the tests, and how a text may ask for a change to it. */
export interface RestoredFiles {
  /** All of it. */
  readonly harness: readonly string[];
  /** Those of them that a text may ask to change as it may a test. */
  readonly data: readonly string[];
  /** What it leaves as it is, because it may be the product. */
  readonly withheld: readonly string[];
}

export function restoredFiles(
  changed: Pick<ChangedTests, "harness" | "commands">,
  by: RunBy,
): RestoredFiles {
  const { data, mapped } = changed.harness;
  const isMapAlone = (path: string) => mapped.has(path) && mapped.get(path) === undefined;
  const harness = harnessFiles(changed, by);
  return {
    harness,
    data: harness.filter((path) => data.includes(path) || isMapAlone(path)),
    withheld: withheldIn(changed, by),
  };
}

function overlaidIn({ harness }: Pick<ChangedTests, "harness">, by: RunBy): readonly string[] {
  const withheld = withheldIn({ harness }, by);
  return harness.overlaid.filter((path) => !withheld.includes(path));
}

function textsIn({ harness }: Pick<ChangedTests, "harness">, by: RunBy): Texts {
  if (by !== "old-checks-alone") return harness.restored;
  const texts = [...harness.restored].flatMap(([path, text]) => {
    const own = harness.mapped.has(path) ? harness.mapped.get(path) : text;
    return own === undefined ? [] : [[path, own] as const];
  });
  return new Map(texts);
}

/**
 * What to overlay on the tree after a range to run its old tests: the tests and their commands, and what else they
 * ran by.
 */
export function oldTestsOf(
  changed: Pick<ChangedTests, "old" | "commands" | "harness" | "newTestFiles">,
  from: Oid,
  by: RunBy,
): OldTests {
  const { old, commands, harness, newTestFiles } = changed;
  if (by === "new-harness") return { from, paths: old, removed: newTestFiles, commands };
  const laid = new Set([...old, ...overlaidIn(changed, by)]);
  return {
    from,
    paths: [...laid],
    removed: [...new Set([...newTestFiles, ...harness.removed])],
    commands: new Map([...commands, ...textsIn(changed, by)].filter(([path]) => !laid.has(path))),
  };
}
