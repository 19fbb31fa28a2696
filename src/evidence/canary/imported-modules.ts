import { importEdges, importReaderOf } from "../harness/import-edges.ts";
import type { TreeLine } from "../../base/ports/repo.ts";
import { testLanguageOf } from "../languages/all-languages.ts";
import { isMeantForTests } from "../harness/test-only.ts";

/**
 * The modules of the product that tests import by a path in the tree, those first that most test files import. Modules
 * that are there for tests, by their paths, are left out.
 */
export function modulesOfTests(
  lines: readonly TreeLine[],
  paths: ReadonlySet<string>,
  isTest: (path: string) => boolean,
): readonly string[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of importEdges(lines, paths)) {
    const isCode = importReaderOf(to) !== undefined && testLanguageOf(to) !== undefined;
    if (!isTest(from) || isTest(to) || !isCode || isMeantForTests(to, "")) continue;
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  const counted = [...importers].map(([path, all]) => [path, all.size] as const);
  const sorted = counted.toSorted(
    ([one, count], [other, more]) => more - count || (one < other ? -1 : 1),
  );
  return sorted.map(([path]) => path);
}
