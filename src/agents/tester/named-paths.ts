import { basename, posix } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { CommandWords } from "./command-line.ts";
import { ASKS_FOR_PATHS, readingsOf } from "./word-readings.ts";

/** A word of a command that is a path, and the places where the file may lie, from the root of the tree. */
interface NamedPath {
  readonly word: string;
  readonly places: readonly string[];
}

const ENDINGS =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|ini|py|go|rs|rb|php|java|kt|swift|cs|c|h|cc|cpp|hpp|sh|bash|pl|lua|ex|exs|md|txt|html?|css|csv|xml|sql)$/u;
const PLAIN = /^[\w@+-][\w@.+-]*(?:\/[\w@.+-]+)*$/u;

/**
 * The words of a command that can only be paths of files in the tree: plain words with a file's extension, or
 * words that begin with `./` or `../`. Words that might be a pattern, or the name of a test or package, are
 * left out.
 */
function namedPaths(command: CommandWords): readonly NamedPath[] {
  if (ASKS_FOR_PATHS.has(basename(command[0]))) return [];
  const readings = readingsOf(command);
  const words = command.filter((_, index) => index > 0 && readings[index] === "value");
  const inRoot = words.map((word) => word.replace(/^\.\//u, ""));
  const folders = ["", ...inRoot.filter((word) => PLAIN.test(word) && !ENDINGS.test(word))];
  return words.flatMap((word) => {
    const path = pathIn(word);
    if (path === undefined) return [];
    const places = folders.map((folder) => posix.join(folder, path));
    return [{ word: path, places: places.filter((place) => !place.startsWith("..")) }];
  });
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
 *
 * @param brought files that are laid over the tree before the command runs
 */
export function missingPath(
  files: Pick<Files, "stat">,
  directory: string,
  words: CommandWords,
  brought: readonly string[] = [],
): string | undefined {
  const isThere = (path: string) =>
    brought.includes(path) || files.stat(posix.join(directory, path)) !== undefined;
  const missing = namedPaths(words).find(({ places }) => !places.some(isThere));
  if (missing === undefined) return undefined;
  return `its command names ${missing.word}, which is neither in the tree nor among its tests`;
}
