/** The end of a sentence, possibly followed by a closing bracket or quotation mark. */
const ENDED = /[.!?…][)\]"'”’]?$/u;

/**
 * Joins texts of one or more sentences into one. Each ends with a full stop, which is added if missing. Empty texts
 * are skipped.
 */
export function inSentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => (ENDED.test(text) ? text : `${text.replace(/[,;:]$/u, "")}.`))
    .join(" ");
}
