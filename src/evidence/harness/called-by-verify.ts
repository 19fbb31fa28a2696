import { posix } from "node:path";
import { commandsIn } from "../integrity/test-commands.ts";
import { launchesIn, pathsOf, startedIn, wordsIn } from "./shell-words.ts";

/** The paths of a commit's files, and a function that reads them. */
export interface TreeAt {
  readonly paths: ReadonlySet<string>;
  /** The text of a file; undefined if it does not exist or cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** What runs when verify runs, as far as the words of commands tell. */
export interface Called {
  /** Tracked files that verify's commands name, directly or through what they call. */
  readonly files: ReadonlySet<string>;
  /** Those of them that the lines of commands start; the others are what these name, get or load. */
  readonly started: ReadonlySet<string>;
  /** Names of scripts and recipes, by the files that define them. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  /** The lines of commands that were followed, each as its words. */
  readonly lines: readonly (readonly string[])[];
  /** Whether everything was followed, within the limits. */
  readonly isWhole: boolean;
}

/** Limits: files and commands that are followed, and packages that a launcher may mean. */
const FOLLOWED_MAX = 500;
const PACKAGES_MAX = 500;
const TEXT_CHARS_MAX = 256 * 1024;
const LINES_MAX = 20_000;

/**
 * Files that can take part in running tests. In compiled languages, source files are the product, so they do
 * not count.
 */
const RUNNABLE =
  /(?:\.(?:sh|bash|zsh|[cm]?[jt]sx?|py|rb|pl|mk|json[c5]?|ya?ml|toml|ini|cfg|conf)|\/\.?[^./]+|^\.?[^./]+)$/i;
/** Those of these files that themselves name others. */
const SCRIPT = /(?:\.(?:sh|bash|zsh|[cm]?[jt]sx?|py|rb|pl|mk)|\/[^./]+|^[^./]+)$/i;

/** Whether a file can take part in running tests, by its name. */
export function mayRun(path: string): boolean {
  return RUNNABLE.test(path);
}

/** Follows commands through scripts, recipes and files. Bounded and total. */
export async function calledBy(
  verify: readonly (readonly string[])[],
  tree: TreeAt,
): Promise<Called> {
  const follower = new CallFollower(tree);
  // A word may itself be a shell command: `sh -c "npm run x"`.
  for (const argv of verify) {
    follower.line(argv.flatMap(wordsIn), "");
    follower.starts(argv.join(" "), "");
  }
  await follower.finish();
  return follower;
}

class CallFollower implements Called {
  readonly files = new Set<string>();
  readonly started = new Set<string>();
  readonly commands = new Map<string, Set<string>>();
  readonly lines: (readonly string[])[] = [];
  readonly #tree: TreeAt;
  readonly #texts = new Map<string, string>();
  readonly #queue: (() => Promise<void>)[] = [];
  #followed = 0;
  #isCut = false;

  constructor(tree: TreeAt) {
    this.#tree = tree;
  }

  get isWhole(): boolean {
    return !this.#isCut;
  }

  async finish(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      await next();
  }

  /** Follows the words of one command line that runs in `folder`. */
  line(words: readonly string[], folder: string): void {
    if (this.lines.length >= LINES_MAX) {
      this.#isCut = true;
      return;
    }
    this.lines.push(words);
    for (const word of words) this.#names(word, folder, RUNNABLE);
    for (const { kind, words: after } of launchesIn(words)) {
      this.#enqueue(() =>
        kind === "scripts" ? this.#scripts(after, folder) : this.#recipes(after, folder),
      );
    }
  }

  /** Notes what a command line starts in `folder`. */
  starts(text: string, folder: string): void {
    const filesOf = (word: string) =>
      pathsOf(word, folder).filter((path) => this.#tree.paths.has(path) && RUNNABLE.test(path));
    const commands = startedIn(text, (word) => filesOf(word).length > 0);
    for (const path of commands.flat().flatMap(filesOf)) this.started.add(path);
  }

  #enqueue(work: () => Promise<void>): void {
    if (this.#followed >= FOLLOWED_MAX) {
      this.#isCut = true;
      return;
    }
    this.#followed += 1;
    this.#queue.push(work);
  }

  #names(word: string, folder: string, like: RegExp): void {
    for (const path of pathsOf(word, folder)) {
      if (!this.#tree.paths.has(path) || !like.test(path) || this.files.has(path)) continue;
      this.files.add(path);
      if (SCRIPT.test(path)) this.#enqueue(() => this.#script(path));
    }
  }

  /** Follows a file that is run. Its lines are commands, or contain strings that are. */
  async #script(path: string): Promise<void> {
    const folder = posix.dirname(path);
    for (const line of (await this.#text(path)).split("\n")) {
      const words = wordsIn(line);
      for (const word of words) this.#names(word, folder === "." ? "" : folder, SCRIPT);
      // An import may omit the extension.
      const imported = words.filter((word) => /^\.{1,2}\//.test(word));
      for (const word of imported) this.#imports(posix.join(folder, word));
      if (launchesIn(words).length > 0) this.line(words, "");
      else if (this.lines.length < LINES_MAX) this.lines.push(words);
      else this.#isCut = true;
    }
  }

  #imports(path: string): void {
    for (const ending of [".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"])
      this.#names(`${path}${ending}`, "", SCRIPT);
  }

  async #scripts(words: readonly string[], folder: string): Promise<void> {
    for (const path of this.#packagesFor(words, folder)) {
      const defined = commandsIn(path, await this.#text(path));
      const names = [...defined.keys()].filter((name) => words.some((word) => isNamed(name, word)));
      const around = names.flatMap((name) => [`pre${name}`, `post${name}`]);
      for (const name of [...names, ...around]) this.#command(path, name, defined.get(name));
    }
  }

  async #recipes(words: readonly string[], folder: string): Promise<void> {
    const at = wordAfterFlag(words, /^(?:-C|--directory|-d)$/) ?? folder;
    const named = wordAfterFlag(words, /^(?:-f|--file|--makefile)$/);
    const names = named === undefined ? MAKEFILES : [named];
    for (const name of names) {
      const path = posix.join(at, name);
      if (!this.#tree.paths.has(path)) continue;
      this.files.add(path);
      await this.#targets(path, words);
    }
  }

  async #targets(path: string, words: readonly string[]): Promise<void> {
    const text = await this.#text(path);
    const defined = commandsIn(path, text);
    // Variables and included files.
    for (const line of text.split("\n"))
      if (/^[^\s:#][^:#]*=|^-?include\s/.test(line)) this.line(wordsIn(line), folderOf(path));
    const wanted = words.filter((word) => defined.has(word));
    const first = [...defined.keys()].find((name) => !name.startsWith("."));
    const due = wanted.length > 0 || first === undefined ? [...wanted] : [first];
    for (let name = due.shift(); name !== undefined; name = due.shift()) {
      const recipe = defined.get(name);
      if (this.commands.get(path)?.has(name) === true) continue;
      this.#command(path, name, recipe);
      due.push(...wordsIn(recipe ?? "").filter((word) => defined.has(word)));
    }
  }

  #command(path: string, name: string, text: string | undefined): void {
    if (text === undefined) return;
    const known = this.commands.get(path) ?? new Set();
    if (known.has(name)) return;
    this.commands.set(path, known.add(name));
    const lines = text.split("\n");
    for (const line of lines) this.line(wordsIn(line), folderOf(path));
    // The first line of a recipe names what it needs.
    for (const line of isPackage(path) ? lines : lines.slice(1)) this.starts(line, folderOf(path));
  }

  /** The package.json files in which a package manager may find a script that is called in a folder. */
  #packagesFor(words: readonly string[], folder: string): readonly string[] {
    if (words.some((word) => ALL_PACKAGES.test(word))) {
      const all = [...this.#tree.paths].filter(isPackage).filter(isOutsideModules);
      if (all.length > PACKAGES_MAX) this.#isCut = true;
      return all.slice(0, PACKAGES_MAX);
    }
    const at = wordAfterFlag(words, /^(?:-C|--prefix|--dir|--cwd)$/);
    const from = at === undefined ? folder : posix.join(folder, at);
    const up = ancestorsOf(from).map((above) => posix.join(above, "package.json"));
    const nearest = up.find((path) => this.#tree.paths.has(path));
    return nearest === undefined ? [] : [nearest];
  }

  async #text(path: string): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const whole = (await this.#tree.read(path)) ?? "";
    const text = whole.slice(0, TEXT_CHARS_MAX);
    if (text.length < whole.length) this.#isCut = true;
    this.#texts.set(path, text);
    return text;
  }
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile", "justfile", ".justfile", "Justfile"];
const ALL_PACKAGES =
  /^(?:-w|-ws|-r|--workspaces?|--recursive|--filter|-F|workspaces?|turbo|nx|lerna|wsrun)(?:=|$)/;

function isPackage(path: string): boolean {
  return posix.basename(path) === "package.json";
}

function isOutsideModules(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path);
}

/**
 * Whether a word calls a script. `npm t` and `npm tst` mean `npm test`; `npm:build:*` is a pattern of some
 * launchers.
 */
function isNamed(name: string, word: string): boolean {
  if (name === "test" && /^(?:t|tst)$/.test(word)) return true;
  const plain = word.replace(/^npm:/, "");
  if (!plain.includes("*")) return name === plain;
  return name.startsWith(plain.slice(0, plain.indexOf("*")));
}

function wordAfterFlag(words: readonly string[], flag: RegExp): string | undefined {
  const index = words.findIndex((word) => flag.test(word));
  return index === -1 ? undefined : words[index + 1];
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

/** A folder and all folders above it, up to the root. */
function ancestorsOf(folder: string): readonly string[] {
  const parts = posix
    .normalize(folder)
    .split("/")
    .filter((part) => part !== "." && part !== "");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}
