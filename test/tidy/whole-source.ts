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

/**
 * The names that more than one source file exports, sorted, as `name: path, path`. A schema and the type
 * of the same name in one file count once, and re-exports do not count.
 */
export function namesExportedTwice(sources: Sources): readonly string[] {
  const places = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const name of new Set(namesExportedBy(text))) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.sort().join(", ")}`)
    .sort();
}

function namesExportedBy(text: string): readonly string[] {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ES2023, true);
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return namesListedBy(statement);
    return isExported(statement) ? namesDeclaredBy(statement) : [];
  });
}

/** The names of `export { one, other as another }`, not of `export { one } from "elsewhere"`. */
function namesListedBy({ exportClause, moduleSpecifier }: ts.ExportDeclaration): readonly string[] {
  if (moduleSpecifier !== undefined || exportClause === undefined) return [];
  if (!ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name }) => name.text);
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  const modifiers = ts.getModifiers(statement) ?? [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function namesDeclaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesBoundBy(name));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** `one`, and all of `{ one, other: [another] }`. */
function namesBoundBy(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : namesBoundBy(element.name),
  );
}
