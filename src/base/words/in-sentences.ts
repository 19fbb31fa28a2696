/** What ends a sentence, also within a closing bracket or quotation mark. */
const ENDED = /[.!?…][)\]"'”’]?$/u;

/**
 * Joins texts of one sentence or more into one text. Each ends with one full stop, also if it came without. An empty
 * text is left out.
 */
export function inSentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => (ENDED.test(text) ? text : `${text.replace(/[,;:]$/u, "")}.`))
    .join(" ");
}
