/** What ends a sentence, also within a closing bracket or quotation mark. */
const ENDED = /[.!?…][)\]"'”’]?$/u;

/**
 * Texts of which each is a sentence or several, as one text: each ends with a full stop, whoever wrote
 * it, and none with two. An empty one is left out.
 */
export function inSentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => (ENDED.test(text) ? text : `${text.replace(/[,;:]$/u, "")}.`))
    .join(" ");
}
