import { cleanText } from "./clean-text.ts";

const WORD_CHARS_MAX = 4_096;

/**
 * Quotes text as one word of a command line that is shown to a person, who may copy it into a shell. Characters
 * that could affect the terminal are removed first, even if the command then no longer names the right thing.
 */
export function shellWord(text: string): string {
  const word = cleanText(text, { charsMax: WORD_CHARS_MAX, lines: "one" });
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
