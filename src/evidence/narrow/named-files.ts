import { posix } from "node:path";
import picomatch from "picomatch";

/**
 * Whether words of a command that name files, folders and globs choose a file for certain. A glob may be read by a shell,
 * to which `**` is no more than `*`, or by the program.
 *
 * @param isFound whether the program finds a file by itself in one of these folders
 */
export function isNamedBy(
  words: readonly string[],
  path: string,
  isFound: (path: string, folder: string) => boolean,
): boolean {
  return words.some((word) => {
    const named = posix.normalize(word).replace(/(?<=.)\/$/u, "");
    if (named === path) return true;
    if (/[*?[\]{}]/u.test(named)) {
      return [named, named.replaceAll("**", "*")].every((glob) => picomatch.isMatch(path, glob));
    }
    return (named === "." || path.startsWith(`${named}/`)) && isFound(path, named);
  });
}
