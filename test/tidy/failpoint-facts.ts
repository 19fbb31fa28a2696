import ts from "typescript";

/** Where effects on the world come from. */
const WORLD: readonly string[] = [
  "node:fs",
  "node:fs/promises",
  "node:child_process",
  "execa",
  "proper-lockfile",
  "simple-git",
];

/** Functions that only read or close, or create what acts later. Everything else that is imported acts. */
const LOOKS: ReadonlySet<string> = new Set([
  "accessSync",
  "closeSync",
  "createReadStream",
  "constants",
  "existsSync",
  "fstatSync",
  "lstatSync",
  "readFileSync",
  "readSync",
  "readdirSync",
  "readlinkSync",
  "realpathSync",
  "statSync",
  "statfsSync",
  "GitPluginError",
  // The instance acts, with `raw`.
  "simpleGit",
]);

/** Methods that act, of objects that a factory above made. */
const ACTING_METHODS: ReadonlySet<string> = new Set(["raw"]);

/** An open with nothing but these makes no file. */
const READING =
  /^(?:"r"|constants\.O_RDONLY(?: \| constants\.O_(?:DIRECTORY|NOFOLLOW|NONBLOCK))*)$/;

type Event =
  | { readonly kind: "before" | "after"; readonly at: number; readonly point: string }
  | { readonly kind: "effect"; readonly at: number; readonly name: string };

/**
 * Each effect on the world in a module that does not stand between its two failpoints, as
 * `line: name`: the last thing before it in its function is `failpoint("x.before")`, the next after it
 * `failpoint("x.after")`, both passed always. Also each effect that is not called but handed on.
 */
export function unpointedEffectsIn(text: string): readonly string[] {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ES2023, true);
  const names = new Map<string, "name" | "module">();
  const problems: { readonly at: number; readonly name: string }[] = [];
  const events = new Map<ts.Node, Event[]>();
  const note = (node: ts.Node, event: Event) => {
    const owner = functionAround(node);
    events.set(owner, [...(events.get(owner) ?? []), event]);
  };
  visit(file, (node) => {
    for (const [name, kind] of importedBy(node)) names.set(name, kind);
  });
  visit(file, (node) => {
    const at = node.getStart();
    const point = pointOf(node);
    if (point !== undefined) note(node, { ...point, at });
    const name = effectOf(node, names);
    if (name === undefined) return;
    if (name.isCalled) note(node, { kind: "effect", at, name: name.text });
    else problems.push({ at, name: name.text });
  });
  for (const all of events.values()) problems.push(...withoutPoints(all));
  return problems
    .sort((one, other) => one.at - other.at)
    .map(({ at, name }) => `${file.getLineAndCharacterOfPosition(at).line + 1}: ${name}`);
}

function withoutPoints(events: readonly Event[]) {
  const ordered = [...events].sort((one, other) => one.at - other.at);
  return ordered.flatMap((event, index) => {
    if (event.kind !== "effect") return [];
    const [before, after] = [ordered[index - 1], ordered[index + 1]];
    const isBetween =
      before?.kind === "before" && after?.kind === "after" && before.point === after.point;
    return isBetween ? [] : [event];
  });
}

/** The names that an import declaration, or a destructured dynamic import, brings in. */
function importedBy(node: ts.Node): readonly (readonly [string, "name" | "module"])[] {
  if (ts.isImportDeclaration(node) && isWorld(node.moduleSpecifier)) {
    const { importClause } = node;
    const isType = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    if (importClause === undefined || isType) return [];
    const bindings = importClause.namedBindings;
    const whole = importClause.name === undefined ? [] : [importClause.name.text];
    if (bindings === undefined) return whole.map((name) => [name, "module"]);
    if (ts.isNamespaceImport(bindings)) return [[bindings.name.text, "module"]];
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .filter(({ name, propertyName }) => !LOOKS.has((propertyName ?? name).text))
      .map(({ name }) => [name.text, "name"]);
  }
  if (ts.isVariableDeclaration(node) && isDynamicImport(node.initializer)) {
    if (!ts.isObjectBindingPattern(node.name)) return [[node.name.getText(), "module"]];
    return node.name.elements
      .filter(({ name, propertyName }) => !LOOKS.has((propertyName ?? name).getText()))
      .map(({ name }) => [name.getText(), "name"]);
  }
  return [];
}

function isDynamicImport(node: ts.Expression | undefined): boolean {
  if (node === undefined || !ts.isAwaitExpression(node)) return false;
  const call = node.expression;
  return (
    ts.isCallExpression(call) &&
    call.expression.kind === ts.SyntaxKind.ImportKeyword &&
    call.arguments.some(isWorld)
  );
}

function isWorld(specifier: ts.Expression): boolean {
  return ts.isStringLiteral(specifier) && WORLD.includes(specifier.text);
}

/** The effect that a node names, and whether the node calls it. */
function effectOf(
  node: ts.Node,
  names: ReadonlyMap<string, "name" | "module">,
): { readonly text: string; readonly isCalled: boolean } | undefined {
  if (ts.isPropertyAccessExpression(node)) return methodOf(node, names);
  if (!ts.isIdentifier(node) || names.get(node.text) === undefined) return undefined;
  if (isDeclared(node) || ts.isTypeNode(node.parent) || ts.isQualifiedName(node.parent)) {
    return undefined;
  }
  if (names.get(node.text) === "module") {
    const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node;
    return isMember ? undefined : { text: node.text, isCalled: false };
  }
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return undefined;
  const { parent } = node;
  const isCalled = ts.isCallExpression(parent) && parent.expression === node;
  if (isCalled && isReadingOpen(node.text, parent)) return undefined;
  return { text: node.text, isCalled };
}

function methodOf(
  node: ts.PropertyAccessExpression,
  names: ReadonlyMap<string, "name" | "module">,
): { readonly text: string; readonly isCalled: boolean } | undefined {
  const { expression, name, parent } = node;
  const isCalled = ts.isCallExpression(parent) && parent.expression === node;
  if (isCalled && ACTING_METHODS.has(name.text)) return { text: name.text, isCalled };
  if (!ts.isIdentifier(expression) || names.get(expression.text) !== "module") return undefined;
  if (LOOKS.has(name.text)) return undefined;
  if (isCalled && isReadingOpen(name.text, parent)) return undefined;
  return { text: `${expression.text}.${name.text}`, isCalled };
}

function isReadingOpen(name: string, call: ts.CallExpression): boolean {
  return name === "openSync" && READING.test(call.arguments[1]?.getText() ?? "");
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isBindingElement(parent)
  );
}

/** A statement `failpoint("x.before")` or `failpoint("x.after")` that is always run. */
function pointOf(
  node: ts.Node,
): { readonly kind: "before" | "after"; readonly point: string } | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "failpoint") return undefined;
  if (!ts.isExpressionStatement(node.parent) || isConditional(node)) return undefined;
  const match = /^["'`](.*)\.(before|after)["'`]$/.exec(node.arguments[0]?.getText() ?? "");
  const point = match?.[1];
  if (point === undefined) return undefined;
  return { kind: match?.[2] === "before" ? "before" : "after", point };
}

function isConditional(node: ts.Node): boolean {
  const owner = functionAround(node);
  for (let at = node.parent; at !== owner; at = at.parent) {
    if (ts.isIfStatement(at) || ts.isSwitchStatement(at) || ts.isCatchClause(at)) return true;
  }
  return false;
}

/** The named function around a node: arrow functions within it are parts of it. */
function functionAround(node: ts.Node): ts.Node {
  let at = node;
  while (!ts.isFunctionDeclaration(at) && !ts.isMethodDeclaration(at) && !ts.isSourceFile(at)) {
    at = at.parent;
  }
  return at;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}
