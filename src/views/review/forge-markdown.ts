import { cleanText } from "../../base/words/clean-text.ts";

/*
 * Words of models, files and people within a text for a forge: they are shown as they are, and do nothing. A
 * backslash keeps Markdown and HTML away; mentions, references to issues and addresses are made into links after
 * Markdown is read, and a space of no width keeps these apart.
 */

/** Longer sentences are cut. */
const SENTENCE_CHARS_MAX = 1_000;
const NAME_CHARS_MAX = 300;

/** What GitHub takes as the body of a pull request. */
export const BODY_CHARS_MAX = 65_536;

const APART = "\u200B";

/** Words as code: nothing in them is Markdown, a mention or a reference. */
export function inline(text: string): string {
  const one = cleanText(text, { charsMax: NAME_CHARS_MAX, lines: "one" }).replaceAll("`", "'");
  return `\`${one}\``;
}

/** Words as a sentence: nobody is mentioned, nothing is linked and nothing is closed by them. */
export function plain(text: string): string {
  return cleanText(text, { charsMax: SENTENCE_CHARS_MAX, lines: "one" })
    .replace(/[\\`*_{}[\]<>#@|~&]/gu, "\\$&")
    .replace(/[@#]/gu, `$&${APART}`)
    .replace(/:(?=\/\/)/gu, `:${APART}`)
    .replace(/\b(?:www|gh)(?=[.-])/giu, `$&${APART}`);
}

/** A body that the forge takes: cut between two lines where it is too long, and then it says so. */
export function fitted(body: string, more: string): string {
  if (body.length <= BODY_CHARS_MAX) return body;
  const note = `\n\nThe rest has no room here: ${more}\n`;
  const room = body.slice(0, BODY_CHARS_MAX - note.length);
  return `${room.slice(0, Math.max(0, room.lastIndexOf("\n")))}${note}`;
}
