import ts from "typescript";

/** Specifiers of everything that a module imports or re-exports, dynamic imports and `require` included. */
export function importsIn(text: string): readonly string[] {
  const found: string[] = [];
  const add = (node: ts.Node | undefined) => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    if (ts.isExternalModuleReference(node)) add(node.expression);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal);
    }
    const isDynamic =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isRequired =
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "require";
    if (isDynamic || isRequired) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return found;
}

/** Line numbers, from 1, where the type `any` is written. */
export function anyLinesIn(text: string): readonly number[] {
  return linesWhere(text, (node) => node.kind === ts.SyntaxKind.AnyKeyword);
}

/** Line numbers of `throw new Error(…)`; own subclasses do not count. */
export function thrownErrorLinesIn(text: string): readonly number[] {
  return linesWhere(
    text,
    (node) =>
      ts.isThrowStatement(node) &&
      (ts.isNewExpression(node.expression) || ts.isCallExpression(node.expression)) &&
      ts.isIdentifier(node.expression.expression) &&
      node.expression.expression.text === "Error",
  );
}

/** Line numbers of calls of a method `subscribe`. */
export function subscribeLinesIn(text: string): readonly number[] {
  return linesWhere(
    text,
    (node) =>
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === "subscribe",
  );
}

/** Line numbers of lint rules that are disabled without a reason after `--`. */
export function unexplainedDisablesIn(text: string): readonly number[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      /(?:\/\/|\/\*)\s*eslint-disable/.test(line) && !/ -- \S/.test(line) ? [index + 1] : [],
    );
}

/** Names of the constants that a module exports. */
export function exportedConstantsIn(text: string): readonly string[] {
  return parse(text)
    .statements.filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

/** Whether the name of a limit contains its unit, or says that it limits something countable. */
export function carriesUnit(name: string): boolean {
  return /(?:^|_)(?:MS|BYTES|CHARS|LINES|COUNT|MAX|MIN|RATIO|PERCENT)(?:_|$)/.test(name);
}

/**
 * The package behind a specifier (`@scope/name/deep` gives `@scope/name`), the specifier itself for
 * a module of Node, `undefined` for a file of ours.
 */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith(".")) return undefined;
  if (specifier.startsWith("node:")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Home folders named by absolute path; those of made-up people in examples are fine. */
export function homePathsIn(text: string): readonly string[] {
  const found =
    text.match(/(?<![\w.*>}-])(?:\/home\/|\/Users\/|[A-Z]:\\+Users\\+)[\w.-]+|\/root\/[\w.-]+/g) ??
    [];
  return found.filter((path) => !/[/\\](?:you|me|user|someone|alice|bob)$/.test(path));
}

/** Absolute paths in a text that lie below `folder`; nothing for a folder as common as `/app`. */
export function pathsBelow(folder: string, text: string): readonly string[] {
  if (folder.split("/").length < 3) return [];
  return text.split(/[\s"'`()<>,;:]/).filter((word) => word.startsWith(`${folder}/`));
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("module.ts", text, ts.ScriptTarget.ES2023, true);
}

function linesWhere(text: string, isWanted: (node: ts.Node) => boolean): readonly number[] {
  const file = parse(text);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}
