import { importEdges, importReaderOf } from "../harness/import-edges.ts";
import type { TreeLine } from "../../base/ports/repo.ts";
import { testLanguageOf } from "../languages/all-languages.ts";
import { isMeantForTests } from "../harness/test-only.ts";

/** A module of the product that tests import. */
export interface TestedModule {
  readonly path: string;
  /** The test files that import it, in order. */
  readonly tests: readonly string[];
}

/**
 * The modules of the product that tests import by a path in the tree, those first that most test files import. Modules
 * that are there for tests, by their paths, are left out.
 */
export function modulesOfTests(
  lines: readonly TreeLine[],
  paths: ReadonlySet<string>,
  isTest: (path: string) => boolean,
): readonly TestedModule[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of importEdges(lines, paths)) {
    const isCode = importReaderOf(to) !== undefined && testLanguageOf(to) !== undefined;
    if (!isTest(from) || isTest(to) || !isCode || isMeantForTests(to, "")) continue;
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  const all = [...importers].map(([path, tests]) => ({ path, tests: [...tests].sort() }));
  return all.sort(
    (one, other) => other.tests.length - one.tests.length || (one.path < other.path ? -1 : 1),
  );
}
