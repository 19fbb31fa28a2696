import { basename } from "node:path";
import type { CommandWords } from "./command-line.ts";
import type { Reading } from "./paths-in-word.ts";

/** These programs ask whether a path exists, so a missing one is no mistake. */
export const ASKS_FOR_PATHS: ReadonlySet<string> = new Set([
  ...["test", "[", "ls", "stat", "find", "cmp", "diff"],
]);
/** For these programs the first word that is not an option is a pattern, not a path. */
const PATTERN_FIRST = new Set(["grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "jq"]);

/** How the program takes each word of a command. */
export function readingsOf(words: CommandWords): readonly Reading[] {
  const [executable, ...rest] = words;
  const hasPattern = PATTERN_FIRST.has(basename(executable));
  const pattern = hasPattern ? 1 + rest.findIndex((word) => !word.startsWith("-")) : 0;
  return words.map((_, index) => {
    if (index === 0) return "value";
    if (isScriptOption(words[index - 1])) return hasPattern ? "pattern" : "script";
    return index === pattern ? "pattern" : "value";
  });
}

/** Whether a word is an option whose value is a script, a name or a pattern. */
function isScriptOption(word: string | undefined): boolean {
  return (
    word !== undefined &&
    /^-(?:[ecktmno]|[a-z]{1,3}[ec]|-eval|-grep|-name|-testNamePattern|-run|-out.*)$/u.test(word)
  );
}
