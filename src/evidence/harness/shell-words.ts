import { posix } from "node:path";

/** Programs that run scripts of a package.json, in one package or in all. */
const LAUNCHERS = new Set(
  "npm pnpm yarn bun npx bunx run-s run-p npm-run-all npm-run-all2 concurrently turbo nx lerna wsrun wireit".split(
    " ",
  ),
);
/** Includes `$(MAKE)`, without its signs. */
const MAKERS = new Set(["make", "gmake", "just", "MAKE"]);

/** A program that runs something defined in another file, and the words after it. */
export interface Launch {
  readonly kind: "scripts" | "recipes";
  readonly words: readonly string[];
}

/** At most this many words after a program's name are read. */
const WORDS_AFTER_MAX = 30;

/**
 * The words of a command line in any language. Quotes, brackets and shell operators only separate words, so
 * that `spawn("npm", ["run", "x"])` has the same words as `npm run x`.
 */
export function wordsIn(line: string): readonly string[] {
  return line.split(/[\s"'`,;()[\]{}|&<>]+/).filter((word) => word !== "");
}

/** Options whose value is loaded together with the program that follows. */
const LOADS = /^(?:--import|--require|-r|--loader|--experimental-loader|-c|--config|-f|--file)$/;

/**
 * The words of a command line that may name what it starts, one list for each of its commands: those up to the first
 * that `isFile` knows as a file, since all that follow are what that program gets.
 */
export function startedIn(
  line: string,
  isFile: (word: string) => boolean,
): readonly (readonly string[])[] {
  return line.split(/&&|[;|&`\n]|\$\(/).map((command) => {
    const words = wordsIn(command);
    const started = words.findIndex(
      (word, index) => isFile(word) && !LOADS.test(words[index - 1] ?? "") && !word.includes("="),
    );
    return started === -1 ? words : words.slice(0, started + 1);
  });
}

/** The programs that a list of words launches; several if one program starts another. */
export function launchesIn(words: readonly string[]): readonly Launch[] {
  return words.flatMap((word, index): readonly Launch[] => {
    const name = posix.basename(word);
    const after = words.slice(index + 1, index + 1 + WORDS_AFTER_MAX);
    if (LAUNCHERS.has(name)) return [{ kind: "scripts", words: [name, ...after] }];
    if (MAKERS.has(name)) return [{ kind: "recipes", words: after }];
    return [];
  });
}

/**
 * The paths, from the root, that a word may mean: the word itself, the word below a folder, or a Python module.
 */
export function pathsOf(word: string, folder: string): readonly string[] {
  // `--config=x`, `$DIR/x`, and the remains of `$(CURDIR)/x`
  const parts = [word, word.slice(word.indexOf("=") + 1), word.replace(/^(?:\$\w+)?\//, "")];
  const dotted = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(word) ? word.replaceAll(".", "/") : "";
  const modules = dotted === "" ? [] : [`${dotted}.py`, `${dotted}/__main__.py`];
  const all = [...parts, ...modules].filter((part) => part !== "" && part.length <= PATH_CHARS_MAX);
  return [...new Set(all.flatMap((part) => [posix.join(folder, part), posix.normalize(part)]))];
}

const PATH_CHARS_MAX = 500;
