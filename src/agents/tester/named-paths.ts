import { basename, posix } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { CommandWords } from "./command-line.ts";

/** A word of a command that is a path, and the places where the file may lie, from the root of the tree. */
interface NamedPath {
  readonly word: string;
  readonly places: readonly string[];
}

/** These programs ask whether a path exists, so a missing one is no mistake. */
const ASKS_FOR_PATHS = new Set(["test", "[", "ls", "stat", "find", "cmp", "diff"]);
/** For these programs the first word that is not an option is a pattern, not a path. */
const PATTERN_FIRST = new Set(["grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "jq"]);

const ENDINGS =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|ini|py|go|rs|rb|php|java|kt|swift|cs|c|h|cc|cpp|hpp|sh|bash|pl|lua|ex|exs|md|txt|html?|css|csv|xml|sql)$/u;
const PLAIN = /^[\w@+-][\w@.+-]*(?:\/[\w@.+-]+)*$/u;

/**
 * The words of a command that can only be paths of files in the tree: plain words with a file's extension, or
 * words that begin with `./` or `../`. Words that might be a pattern, or the name of a test or package, are
 * left out.
 */
function namedPaths([executable, ...rest]: CommandWords): readonly NamedPath[] {
  const program = basename(executable);
  if (ASKS_FOR_PATHS.has(program)) return [];
  const words = PATTERN_FIRST.has(program) ? withoutFirst(rest) : rest;
  const folders = ["", ...words.filter((word) => PLAIN.test(word) && !ENDINGS.test(word))];
  return words.flatMap((word, index) => {
    if (isValue(words[index - 1])) return [];
    const path = pathIn(word);
    if (path === undefined) return [];
    const places = folders.map((folder) => posix.join(folder, path));
    return [{ word: path, places: places.filter((place) => !place.startsWith("..")) }];
  });
}

/** Whether the word before is an option whose value is a script, a name or a pattern. */
function isValue(before: string | undefined): boolean {
  return (
    before !== undefined &&
    /^-(?:[ecktmno]|-eval|-grep|-name|-testNamePattern|-run|-out.*)$/u.test(before)
  );
}

function withoutFirst(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return words.filter((_, index) => index !== at);
}

function pathIn(word: string): string | undefined {
  const value = word.startsWith("-") ? word.replace(/^--?[\w-]+=/u, "") : word;
  // `tests/test_a.py::test_b`, and `src/a.js:12`.
  const path = value.replace(/::.*$/u, "").replace(/(?::\d+){1,2}$/u, "");
  if (path.startsWith("-") || path.includes("...")) return undefined;
  const plain = path.replace(/^(?:\.{1,2}\/)+/u, "");
  if (!PLAIN.test(plain)) return undefined;
  return ENDINGS.test(plain) || plain !== path ? posix.normalize(path) : undefined;
}

/**
 * Returns why a command cannot judge a tree: it names a file that does not exist. Undefined if there is none.
 */
export function missingPath(
  files: Pick<Files, "stat">,
  directory: string,
  words: CommandWords,
): string | undefined {
  const isThere = (path: string) => files.stat(posix.join(directory, path)) !== undefined;
  const missing = namedPaths(words).find(({ places }) => !places.some(isThere));
  if (missing === undefined) return undefined;
  return `its command names ${missing.word}, which is neither in the tree nor among its tests`;
}
