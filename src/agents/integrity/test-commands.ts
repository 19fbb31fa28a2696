import { posix } from "node:path";
import { jsonOf } from "../../base/words/json-text.ts";
import { valueAt } from "../../engines/events/json-value.ts";

/**
 * The commands by which a project runs its tests, where a file states them: scripts of a package.json, recipes
 * of a Makefile or justfile. What the session runs (`npm test`) is frozen; what stands behind it is not.
 */

const TEST_COMMAND = /^(?:pre|post)?(?:test|tests|check|verify|coverage)(?:[:-].*)?$/;

/** All commands that a file states, by name; pure and total: of a file that cannot be read, nothing. */
export function commandsIn(file: string, text: string): ReadonlyMap<string, string> {
  return isPackage(file) ? scriptsIn(text) : recipesIn(file, text);
}

/** Those that run tests: by their names, or because verify calls them. */
export function testCommandsIn(
  file: string,
  text: string,
  called: ReadonlySet<string> = NONE,
): ReadonlyMap<string, string> {
  const all = commandsIn(file, text);
  return new Map([...all].filter(([name]) => TEST_COMMAND.test(name) || called.has(name)));
}

const NONE: ReadonlySet<string> = new Set();

/** Of the test commands before a range: those that are others after it, and new ones that run around them. */
export interface ChangedCommands {
  /** With what they were. */
  readonly changed: readonly (readonly [string, string])[];
  /** Names of scripts that a package manager runs before or after another, by itself. */
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
 * The text of a file after a range, with the test commands that it had before the range, and without new
 * ones that run around them; what else the range did to the file stays. Undefined: there is no need.
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
  /** Its lines: `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** A rule and what is indented below it. An assignment (`test := x`) is none. */
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
