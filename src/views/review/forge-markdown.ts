import { cleanText } from "../../base/words/clean-text.ts";

/*
 * Escapes the words of models, files and people in a text for a forge, so that they show verbatim and have no effect.
 * Backslashes disable Markdown and HTML. Forges turn mentions, issue references and URLs into links after they parse
 * Markdown, so a zero-width space breaks those up.
 */

/** Longer sentences are cut. */
const SENTENCE_CHARS_MAX = 1_000;
const NAME_CHARS_MAX = 300;

/** The longest pull request body that GitHub accepts. */
export const BODY_CHARS_MAX = 65_536;

const APART = "\u200B";

/** The text as inline code, so that nothing in it is Markdown, a mention or a reference. */
export function inline(text: string): string {
  const one = cleanText(text, { charsMax: NAME_CHARS_MAX, lines: "one" }).replaceAll("`", "'");
  return `\`${one}\``;
}

/** The text as a plain sentence that mentions nobody, links nothing and closes no issue. */
export function plain(text: string): string {
  return cleanText(text, { charsMax: SENTENCE_CHARS_MAX, lines: "one" })
    .replace(/[\\`*_{}[\]<>#@|~&]/gu, "\\$&")
    .replace(/[@#]/gu, `$&${APART}`)
    .replace(/:(?=\/\/)/gu, `:${APART}`)
    .replace(/\b(?:www|gh)(?=[.-])/giu, `$&${APART}`);
}

/** A body that the forge accepts. If it is too long, it is cut at a line break and ends with a note. */
export function fitted(body: string, more: string): string {
  if (body.length <= BODY_CHARS_MAX) return body;
  const note = `\n\nThe rest does not fit here: ${more}\n`;
  const room = body.slice(0, BODY_CHARS_MAX - note.length);
  return `${room.slice(0, Math.max(0, room.lastIndexOf("\n")))}${note}`;
}
