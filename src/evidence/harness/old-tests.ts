import type { Oid } from "../../base/oid.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import type { OldTests } from "../../work/verify-trees.ts";

/**
 * What old tests run by: all that they ran by at their own commit; only what is shown to be no part of the product; or
 * what runs the tests now.
 */
export type RunBy = "old-harness" | "old-checks" | "new-harness";

/** The harness files that a range changed and that such a run restores. */
export function harnessFiles(
  { harness, commands }: Pick<ChangedTests, "harness" | "commands">,
  by: RunBy = "old-harness",
): readonly string[] {
  if (by === "new-harness") return [];
  const restored = [...harness.restored].filter(([path, text]) => commands.get(path) !== text);
  const paths = restored.map(([path]) => path);
  const all = [...new Set([...harness.overlaid, ...harness.removed, ...paths])].sort();
  return all.filter((path) => !withheldIn({ harness }, by).includes(path));
}

/** The files that such a run leaves as they are, because they may be the product under test. */
export function withheldIn(
  { harness }: Pick<ChangedTests, "harness">,
  by: RunBy,
): readonly string[] {
  return by === "old-checks" ? harness.doubtful : [];
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
  const withheld = new Set(withheldIn(changed, by));
  const overlaid = harness.overlaid.filter((path) => !withheld.has(path));
  const laid = new Set([...old, ...overlaid]);
  return {
    from,
    paths: [...laid],
    removed: [...new Set([...newTestFiles, ...harness.removed])],
    commands: new Map([...commands, ...harness.restored].filter(([path]) => !laid.has(path))),
  };
}
