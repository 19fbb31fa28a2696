import { posix } from "node:path";
import ts from "typescript";
import { importsIn } from "./source-facts.ts";

/** The text of each source file, by its path in the repository. */
export type Sources = ReadonlyMap<string, string>;

/** The files that a configuration of the bundler names as its entries, sorted. */
export function entriesIn(config: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, isEntry: boolean): void => {
    if (isEntry && ts.isStringLiteral(node)) found.push(node.text);
    ts.forEachChild(node, (child) => {
      visit(child, isEntry || (ts.isPropertyAssignment(node) && node.name.getText() === "entry"));
    });
  };
  visit(ts.createSourceFile("config.ts", config, ts.ScriptTarget.ES2023, true), false);
  return found.sort();
}

/**
 * The source files that no chain of imports, static or dynamic or of types alone, leads to from the
 * entries, sorted: only tests can import them.
 */
export function unreachedFiles(sources: Sources, entries: readonly string[]): readonly string[] {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const specifier of importsIn(sources.get(path) ?? "")) {
      if (specifier.startsWith(".")) reached.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return [...sources.keys()].filter((path) => !reached.has(path)).sort();
}
