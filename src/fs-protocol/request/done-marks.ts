/** `- [x] `, also in a quotation or a numbered list. */
const TICKED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\](?=\s)/gm;
/** How other programs' task lists mark what is done. */
const PASSED = /"(?:passes|done|completed)"\s*:\s*true|"status"\s*:\s*"(?:done|completed?)"/gi;

/** Counts the marks for finished work in a text that is not a plan. */
export function doneMarks(text: string): number {
  return [TICKED, PASSED].reduce((sum, mark) => sum + (text.match(mark)?.length ?? 0), 0);
}
