import type { Oid } from "../../base/oid.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import type { OldTests } from "../integrity/overlay-old-tests.ts";

/** Files that a range changed by which tests are run, beside those that have their test commands back anyway. */
export function harnessFiles({
  harness,
  commands,
}: Pick<ChangedTests, "harness" | "commands">): readonly string[] {
  const restored = [...harness.restored].filter(([path, text]) => commands.get(path) !== text);
  const paths = restored.map(([path]) => path);
  return [...new Set([...harness.laid, ...harness.away, ...paths])].sort();
}

/**
 * The old tests, and the commands that ran them, for the tree after a range. With the harness everything else
 * by which they ran is as it was, too.
 */
export function oldTestsOf(
  changed: Pick<ChangedTests, "old" | "commands" | "harness" | "fresh">,
  from: Oid,
  by: "old-harness" | "new-harness",
): OldTests {
  const { old, commands, harness, fresh } = changed;
  if (by === "new-harness") return { from, paths: old, away: fresh, commands };
  const isLaid = (path: string) => old.includes(path) || harness.laid.includes(path);
  const texts = [...commands, ...harness.restored].filter(([path]) => !isLaid(path));
  return {
    from,
    paths: [...new Set([...old, ...harness.laid])],
    away: [...new Set([...fresh, ...harness.away])],
    commands: new Map(texts),
  };
}
