import { cleanText } from "./clean-text.ts";

const WORD_CHARS_MAX = 4_096;

/**
 * Text as one word of a command line that is shown to a person, who may copy it into a shell. What
 * could act on the terminal is left out first, though then the command may miss what it names.
 */
export function shellWord(text: string): string {
  const word = cleanText(text, { charsMax: WORD_CHARS_MAX, lines: "one" });
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
