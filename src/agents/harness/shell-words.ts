import { posix } from "node:path";

/** What programs call that run scripts of a package.json, in one package or in all of them. */
const LAUNCHERS = new Set(
  "npm pnpm yarn bun npx bunx run-s run-p npm-run-all npm-run-all2 concurrently turbo nx lerna wsrun wireit".split(
    " ",
  ),
);
/** `$(MAKE)`, too, once its marks are gone. */
const MAKERS = new Set(["make", "gmake", "just", "MAKE"]);

/** A program that runs something that another file states, and the words after it. */
export interface Launch {
  readonly kind: "scripts" | "recipes";
  readonly words: readonly string[];
}

/** So many words after the name of a program are looked at. */
const WORDS_AFTER_MAX = 30;

/**
 * The words of one line of commands, of whatever language: quotes, brackets and the marks of a shell only
 * part them, so that `spawn("npm", ["run", "x"])` has the same words as `npm run x`.
 */
export function wordsIn(line: string): readonly string[] {
  return line.split(/[\s"'`,;()[\]{}|&<>]+/).filter((word) => word !== "");
}

/** What a list of words launches; several, where one program starts another. */
export function launchesIn(words: readonly string[]): readonly Launch[] {
  return words.flatMap((word, index): readonly Launch[] => {
    const name = posix.basename(word);
    const after = words.slice(index + 1, index + 1 + WORDS_AFTER_MAX);
    if (LAUNCHERS.has(name)) return [{ kind: "scripts", words: [name, ...after] }];
    if (MAKERS.has(name)) return [{ kind: "recipes", words: after }];
    return [];
  });
}

/** Paths that a word may mean, from the root: as it stands, below a folder, as a module of Python. */
export function pathsOf(word: string, folder: string): readonly string[] {
  // `--config=x`; `$DIR/x`, and what is left of `$(CURDIR)/x`
  const parts = [word, word.slice(word.indexOf("=") + 1), word.replace(/^(?:\$\w+)?\//, "")];
  const dotted = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(word) ? word.replaceAll(".", "/") : "";
  const modules = dotted === "" ? [] : [`${dotted}.py`, `${dotted}/__main__.py`];
  const all = [...parts, ...modules].filter((part) => part !== "" && part.length <= PATH_CHARS_MAX);
  return [...new Set(all.flatMap((part) => [posix.join(folder, part), posix.normalize(part)]))];
}

const PATH_CHARS_MAX = 500;
