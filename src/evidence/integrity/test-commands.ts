import { posix } from "node:path";
import { jsonOf } from "../../base/words/json-text.ts";
import { valueAt } from "../../engines/events/json-value.ts";

/**
 * The commands by which a project runs its tests, as files define them: scripts of a package.json, recipes of a
 * Makefile or justfile. What the session runs (`npm test`) is frozen; what such a command calls is not.
 */

const TEST_COMMAND = /^(?:pre|post)?(?:test|tests|check|verify|coverage)(?:[:-].*)?$/;

/** All commands that a file defines, by name; empty for a file that cannot be parsed. Pure and total. */
export function commandsIn(file: string, text: string): ReadonlyMap<string, string> {
  return isPackage(file) ? scriptsIn(text) : recipesIn(file, text);
}

/** The commands that run tests, recognised by their names or because verify calls them. */
export function testCommandsIn(
  file: string,
  text: string,
  called: ReadonlySet<string> = NONE,
): ReadonlyMap<string, string> {
  const all = commandsIn(file, text);
  return new Map([...all].filter(([name]) => TEST_COMMAND.test(name) || called.has(name)));
}

const NONE: ReadonlySet<string> = new Set();

/** Test commands that a range changed, and new ones that a package manager runs around them. */
export interface ChangedCommands {
  /** Name and former command. */
  readonly changed: readonly (readonly [string, string])[];
  /** Names of new `pre` and `post` scripts, which a package manager runs by itself. */
  readonly around: readonly string[];
}

export function changedTestCommands(
  file: string,
  before: string,
  after: string,
  called?: ReadonlySet<string>,
): ChangedCommands {
  const was = testCommandsIn(file, before, called);
  const now = commandsIn(file, after);
  const changed = [...was].filter(([name, command]) => now.get(name) !== command);
  const known = commandsIn(file, before);
  const around = [...was.keys()]
    .flatMap((name) => [`pre${name}`, `post${name}`])
    .filter((name) => isPackage(file) && now.has(name) && !known.has(name));
  return { changed, around };
}

/**
 * The text of a file after a range with its former test commands, and without new ones that run around them;
 * everything else that the range changed stays. Undefined if no test command changed.
 *
 * @param called names of further test commands: those that verify calls
 */
export function withTestCommandsOf(
  file: string,
  before: string,
  after: string,
  called?: ReadonlySet<string>,
): string | undefined {
  const { changed, around } = changedTestCommands(file, before, after, called);
  if (changed.length + around.length === 0) return undefined;
  return isPackage(file) ? withScripts(after, changed, around) : withRecipes(file, after, changed);
}

type Commands = ChangedCommands["changed"];

function isPackage(file: string): boolean {
  return posix.basename(file) === "package.json";
}

function scriptsIn(text: string): ReadonlyMap<string, string> {
  const scripts = valueAt(jsonOf(text), "scripts");
  if (typeof scripts !== "object" || scripts === null) return new Map();
  return new Map(
    Object.entries(scripts).filter((entry): entry is [string, string] => {
      return typeof entry[1] === "string";
    }),
  );
}

function withScripts(
  text: string,
  commands: Commands,
  around: readonly string[],
): string | undefined {
  const all = jsonOf(text);
  if (typeof all !== "object" || all === null) return undefined;
  const now = [...scriptsIn(text)].filter(([name]) => !around.includes(name));
  const scripts = Object.fromEntries([...now, ...commands]);
  return `${JSON.stringify({ ...all, scripts }, undefined, 2)}\n`;
}

const RECIPES = /^(?:(?:gnu)?makefile|justfile)$/i;

interface Recipe {
  readonly name: string;
  /** Its range of lines, `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** The first line of a rule. An assignment (`test := x`) does not match. */
const RULE = /^([\w.@-][^=:#]*?)\s*::?(?!=)/;

function rulesIn(file: string, lines: readonly string[]): readonly Recipe[] {
  if (!RECIPES.test(posix.basename(file))) return [];
  const starts = lines.flatMap((line, from) => {
    const [, names] = RULE.exec(line) ?? [];
    return names === undefined ? [] : [{ names: names.split(/\s+/), from }];
  });
  return starts.flatMap(({ names, from }) => {
    const length = lines.slice(from + 1).findIndex((line) => /^\S/.test(line));
    const to = length === -1 ? lines.length : from + 1 + length;
    return names.map((name) => ({ name: name.replace(/^@/, ""), from, to }));
  });
}

function recipesIn(file: string, text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n");
  return new Map(
    rulesIn(file, lines).map(({ name, from, to }) => [
      name,
      lines.slice(from, to).join("\n").trimEnd(),
    ]),
  );
}

function withRecipes(file: string, text: string, commands: Commands): string {
  return commands.reduce((whole, [name, recipe]) => {
    const lines = whole.split("\n");
    const rule = rulesIn(file, lines).findLast((other) => other.name === name);
    if (rule === undefined) return `${whole}\n${recipe}\n`;
    return [...lines.slice(0, rule.from), recipe, "", ...lines.slice(rule.to)].join("\n");
  }, text);
}
