/** `- [x] `, also below a quotation or a number. */
const TICKED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\](?=\s)/gm;
/** What lists of other programs say of what is done. */
const PASSED = /"(?:passes|done|completed)"\s*:\s*true|"status"\s*:\s*"(?:done|completed?)"/gi;

/** How often a text that is no plan says that something is done. */
export function doneMarks(text: string): number {
  return [TICKED, PASSED].reduce((sum, mark) => sum + (text.match(mark)?.length ?? 0), 0);
}
