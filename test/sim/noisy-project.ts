import { present } from "../../src/base/assert.ts";
import { Random } from "../rig/random.ts";
import type { Tree } from "./sim-repository.ts";

/*
 * The project of a noisy session: modules that hold words, and a test for each word. What is right is known at every tree,
 * whatever a run of its tests shows.
 */

/** The modules of the base. */
export const MODULES = ["alpha", "beta", "gamma"] as const;
const WORDS_PER_MODULE = 4;

/** A test that is red at the base of some sessions, which its settings name as known. */
export const KNOWN_RED = "test/gamma.test.js > gamma holds g4";
/** The word that gamma lacks at these bases. */
const LACKING = "g4";

/** The words that a module is to hold. */
export function wordsOf(module: string): readonly string[] {
  const first = module.slice(0, 1);
  return Array.from({ length: WORDS_PER_MODULE }, (_, index) => `${first}${String(index + 1)}`);
}

/** Places for remarks: two about one place count as one. */
const PLACES = 64;

/** The place of what is found in a unit. */
export function placeFor(unit: string): string {
  return `docs/${String(Random.for(1, unit).below(PLACES))}.md`;
}

/** The files of the base. */
export function baseFiles(isRed: boolean): Tree {
  const files = new Map([["README.md", "# project\n"]]);
  for (let place = 0; place < PLACES; place++) files.set(`docs/${String(place)}.md`, "here\n");
  for (const module of MODULES) {
    const words = wordsOf(module).filter((word) => !isRed || word !== LACKING);
    files.set(sourceOf(module), sourceWith(words));
    files.set(testsOf(module), testsFor(module, wordsOf(module)));
  }
  return files;
}

export function sourceOf(module: string): string {
  return `src/${module}.js`;
}

export function testsOf(module: string): string {
  return `test/${module}.test.js`;
}

export function sourceWith(words: readonly string[]): string {
  return `export const value = "${words.join(" ")}";\n`;
}

/** A test file, with a test for each of these words. */
export function testsFor(module: string, words: readonly string[]): string {
  const head = `import { expect, test } from "vitest";\nimport { value } from "../src/${module}.js";\n`;
  const tests = words.map((word) => testFor(module, word, word));
  return [head, ...tests].join("\n");
}

/** A test that says to look for one word, and looks for `sought`. */
export function testFor(module: string, word: string, sought: string): string {
  return `test("${module} holds ${word}", () => {\n  expect(value).toContain("${sought}");\n});\n`;
}

/** The words that a tree lacks: those of the base, and those of the modules that were added to it. None: it is right. */
export function missingIn(tree: Tree, isRed: boolean): readonly string[] {
  const added = [...tree.keys()].flatMap((path) => /^src\/(m\w+)\.js$/.exec(path)?.[1] ?? []);
  return [...brokenIn(tree, isRed), ...lackingIn(tree, added)];
}

/** The words of the base that a tree lacks, for each of which the base has a test. */
export function brokenIn(tree: Tree, isRed: boolean): readonly string[] {
  return lackingIn(tree, MODULES).filter((word) => !isRed || word !== LACKING);
}

function lackingIn(tree: Tree, modules: readonly string[]): readonly string[] {
  return modules.flatMap((module) => {
    const held = heldBy(tree.get(sourceOf(module)));
    return wordsOf(module).filter((word) => held?.includes(word) !== true);
  });
}

/** The words that a module holds; undefined if it cannot be loaded. */
function heldBy(text: string | undefined): readonly string[] | undefined {
  return /^export const value = "([^"]*)";$/m.exec(text ?? "")?.[1]?.split(" ");
}

/** A test as its runner knows it. */
export interface ProjectTest {
  readonly file: string;
  readonly title: string;
  readonly isPassing: boolean;
}

/** A run of all tests, or of some. */
export interface TestsOfTree {
  readonly tests: readonly ProjectTest[];
  /** Test files that could not be loaded. */
  readonly unloaded: readonly string[];
}

/** Every test of a tree, and whether it passes there. */
export function testsIn(tree: Tree): TestsOfTree {
  const tests: ProjectTest[] = [];
  const unloaded: string[] = [];
  for (const file of [...tree.keys()].filter((path) => path.endsWith(".test.js")).sort()) {
    const text = tree.get(file) ?? "";
    const modules = [...text.matchAll(/^import .*"\.\.\/(src\/\w+\.js)";$/gm)].map(
      ([, path = ""]) => heldBy(tree.get(path)),
    );
    if (modules.includes(undefined)) unloaded.push(file);
    else
      tests.push(
        ...testsInFile(
          file,
          text,
          modules.flatMap((words) => words ?? []),
        ),
      );
  }
  return { tests, unloaded };
}

function testsInFile(file: string, text: string, held: readonly string[]): readonly ProjectTest[] {
  return [...text.matchAll(/^test\("([^"]+)", \(\) => \{\n([\s\S]*?)\n\}\);$/gm)].map(
    ([, title = "", body = ""]) => {
      const sought = /expect\(value\)\.toContain\("(\w+)"\)/.exec(body)?.[1];
      // Any other test is one that wisp planted, which fails.
      return { file, title, isPassing: sought !== undefined && held.includes(sought) };
    },
  );
}

/** A module of the base and one of its words, for a break. */
export function someWord(random: Random): { readonly module: string; readonly word: string } {
  const module = random.pick(MODULES);
  const words = wordsOf(module).filter((word) => word !== LACKING);
  return { module, word: present(random.pick(words), "a module holds words") };
}

/** The module and the word of a test. */
export function wordOf(title: string): { readonly module: string; readonly word: string } {
  const [module = "", word = ""] = title.split(" holds ");
  return { module, word };
}
