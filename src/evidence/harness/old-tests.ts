import type { Oid } from "../../base/oid.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import type { OldTests } from "../../work/verify-trees.ts";

/** The harness files that a range changed, except those whose test commands are restored anyway. */
export function harnessFiles({
  harness,
  commands,
}: Pick<ChangedTests, "harness" | "commands">): readonly string[] {
  const restored = [...harness.restored].filter(([path, text]) => commands.get(path) !== text);
  const paths = restored.map(([path]) => path);
  return [...new Set([...harness.overlaid, ...harness.removed, ...paths])].sort();
}

/**
 * What to overlay on the tree after a range to run its old tests: the tests and their commands, and with
 * `old-harness` everything else by which they ran.
 */
export function oldTestsOf(
  changed: Pick<ChangedTests, "old" | "commands" | "harness" | "newTestFiles">,
  from: Oid,
  by: "old-harness" | "new-harness",
): OldTests {
  const { old, commands, harness, newTestFiles } = changed;
  if (by === "new-harness") return { from, paths: old, removed: newTestFiles, commands };
  const isLaid = (path: string) => old.includes(path) || harness.overlaid.includes(path);
  const texts = [...commands, ...harness.restored].filter(([path]) => !isLaid(path));
  return {
    from,
    paths: [...new Set([...old, ...harness.overlaid])],
    removed: [...new Set([...newTestFiles, ...harness.removed])],
    commands: new Map(texts),
  };
}
