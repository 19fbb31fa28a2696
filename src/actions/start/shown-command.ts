import { shellWord } from "../../base/words/shell-word.ts";

const WORD_CHARS_MAX = 1_000;

/**
 * A command that somebody else wrote, for a person who decides whether it may run. Nothing is left
 * out silently: unprintable characters are shown as escapes, and the rest of a truncated word is
 * counted.
 */
export function shownCommand(words: readonly string[]): string {
  return words.map(shownWord).join(" ");
}

function shownWord(word: string): string {
  // Runs of spaces are folded when a word is shown; what follows many of them must not be cut off.
  const visible = word.replaceAll(/\p{C}|\p{Zl}|\p{Zp}/gu, escapeOf).replaceAll(/ {2,}/g, " ");
  const more = visible.length - WORD_CHARS_MAX;
  if (more <= 0) return shellWord(visible);
  return `${shellWord(visible.slice(0, WORD_CHARS_MAX))} (and ${String(more)} more characters)`;
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return NAMED[character] ?? `\\u{${code}}`;
}
