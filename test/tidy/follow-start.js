// Follows what `wisp start` is given (its first parameter, and whatever is taken out of it) into every function
// that it is handed to, in the order of the code, until the session's supervisor is started, which starts the first
// engine. Prints each file on the way, with its floor, and at the end how many files these are and how often the way
// climbs from a floor to a higher one:
//
//     node test/tidy/follow-start.js [file:function]
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const [START_FILE, START_FUNCTION] = (process.argv[2] ?? "src/cli/commands/start.ts:start").split(
  ":",
);
/** Where the way ends: this starts the process that starts the first engine. */
const END = "ensureSupervisor";

/** The floors of the source, from the ground up. */
const FLOORS = JSON.parse(readFileSync(new URL("./floors.json", import.meta.url), "utf8"));

function program() {
  const path = ts.findConfigFile(ROOT, ts.sys.fileExists, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(
    fileNames.filter((name) => name.includes("/src/")),
    options,
  );
}

const made = program();
const checker = made.getTypeChecker();
const stays = [];
const passed = new Set();
let isOver = false;

const nameOf = (file) => relative(ROOT, file.fileName);
const floorOf = (name) => FLOORS.findIndex((row) => row.includes(name.split("/")[1])) + 1;

/** The function behind what is called, where it is one of the source; behind an import() too. */
function calleeOf(call) {
  let symbol = checker.getSymbolAtLocation(
    ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression,
  );
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0)
    symbol = checker.getAliasedSymbol(symbol);
  const signature = checker.getResolvedSignature(call)?.declaration;
  const found = [symbol?.valueDeclaration, signature].find(
    (one) => one !== undefined && bodyOf(one) !== undefined,
  );
  return found === undefined || !nameOf(found.getSourceFile()).startsWith("src/")
    ? undefined
    : found;
}

function bodyOf(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  return node !== undefined && ts.isFunctionLike(node) ? node.body && node : undefined;
}

/** Whether an expression is one of `mine`, or is taken out of one, or is made of one. */
function isMine(node, mine) {
  if (ts.isIdentifier(node)) {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol !== undefined && mine.has(symbol);
  }
  if (node.kind === ts.SyntaxKind.ThisKeyword) return false;
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return isMine(node.expression, mine);
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node))
    return isMine(node.expression, mine);
  if (ts.isSpreadAssignment(node)) return isMine(node.expression, mine);
  if (!ts.isObjectLiteralExpression(node)) return false;
  return node.properties.some((one) => {
    if (ts.isSpreadAssignment(one)) return isMine(one.expression, mine);
    if (ts.isPropertyAssignment(one)) return isMine(one.initializer, mine);
    if (!ts.isShorthandPropertyAssignment(one)) return false;
    const value = checker.getShorthandAssignmentValueSymbol(one);
    return value !== undefined && mine.has(value);
  });
}

function take(pattern, mine) {
  if (ts.isIdentifier(pattern)) {
    const symbol = checker.getSymbolAtLocation(pattern);
    if (symbol !== undefined) mine.add(symbol);
  } else
    for (const element of pattern.elements)
      if (ts.isBindingElement(element)) take(element.name, mine);
}

function enter(declaration, indexes) {
  const key = `${nameOf(declaration.getSourceFile())}:${String(declaration.pos)}:${indexes.join(",")}`;
  const file = nameOf(declaration.getSourceFile());
  if (stays.at(-1) !== file) stays.push(file);
  if (passed.has(key)) return;
  passed.add(key);
  const node = bodyOf(declaration);
  const mine = new Set();
  for (const index of indexes) {
    const parameter = node.parameters[index];
    if (parameter !== undefined) take(parameter.name, mine);
  }
  follow(node.body, mine);
}

function follow(node, mine) {
  if (isOver) return;
  if (
    ts.isVariableDeclaration(node) &&
    node.initializer !== undefined &&
    isMine(node.initializer, mine)
  )
    take(node.name, mine);
  ts.forEachChild(node, (child) => follow(child, mine));
  if (isOver || !(ts.isCallExpression(node) || ts.isNewExpression(node))) return;
  const indexes = (node.arguments ?? []).flatMap((argument, index) =>
    isMine(argument, mine) ? [index] : [],
  );
  if (node.expression.getText().endsWith(END)) isOver = true;
  if (indexes.length === 0 || isOver) return;
  const callee = calleeOf(node);
  if (callee === undefined) return;
  enter(callee, indexes);
}

const source = made.getSourceFiles().find((file) => nameOf(file) === START_FILE);
const start = source?.statements.find(
  (one) => ts.isFunctionDeclaration(one) && one.name?.text === START_FUNCTION,
);
if (start === undefined) throw new Error(`there is no ${START_FUNCTION} in ${START_FILE}`);
enter(start, [0]);
stays.forEach((file, index) => {
  const isClimb = index > 0 && floorOf(file) > floorOf(stays[index - 1]);
  console.log(`${isClimb ? "up  " : "    "}${String(floorOf(file)).padStart(2)}  ${file}`);
});
const climbs = stays.filter(
  (file, index) => index > 0 && floorOf(file) > floorOf(stays[index - 1]),
).length;
console.log(
  `${String(stays.length)} stays, ${String(new Set(stays).size)} files, ${String(climbs)} climbs${isOver ? "" : "; the end was not reached"}`,
);
