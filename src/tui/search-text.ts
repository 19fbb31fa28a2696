import { row, span, type Row, type Span } from "../views/rows/row.ts";

/** What the person looks for, in the pane or the output that keys scroll. */
export interface Search {
  readonly text: string;
  /** The number of the row that was found last; undefined if there was none. */
  readonly at: number | undefined;
}

/** Whether a row contains a text, in any case. A match never spans several styles. */
function hasMatch(whole: Row, text: string): boolean {
  return whole.some((one) => matchIn(one.text, text, 0) !== -1);
}

/** The row with every match of a text highlighted. */
export function markMatches(whole: Row, text: string): Row {
  return text === "" ? whole : row(...whole.flatMap((one) => markedSpans(one, text)));
}

function markedSpans(one: Span, text: string): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (let at = matchIn(one.text, text, 0); at !== -1; at = matchIn(one.text, text, done)) {
    if (at > done) spans.push({ ...one, text: one.text.slice(done, at) });
    done = at + text.length;
    spans.push(span("cursor", one.text.slice(at, done)));
  }
  return done === 0 ? [one] : [...spans, { ...one, text: one.text.slice(done) }];
}

function matchIn(text: string, sought: string, from: number): number {
  const lower = text.toLowerCase();
  // Lower case can be longer than the text; then only the same case is found.
  if (lower.length !== text.length) return text.indexOf(sought, from);
  return lower.indexOf(sought.toLowerCase(), from);
}

/** The number of the next row with a match, after the row `from`; it goes around. Undefined if there is none. */
export function nextMatch(
  { first, rows }: { readonly first: number; readonly rows: readonly Row[] },
  text: string,
  { from, isBack }: { readonly from: number; readonly isBack: boolean },
): number | undefined {
  const matches = rows.flatMap((one, index) => (hasMatch(one, text) ? [first + index] : []));
  return isBack
    ? (matches.findLast((at) => at < from) ?? matches.at(-1))
    : (matches.find((at) => at > from) ?? matches[0]);
}
