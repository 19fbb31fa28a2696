import truncatedWidth from "fast-string-truncated-width";
import { row, span, type Row, type Span } from "./row.ts";

/*
 * Measures text in terminal cells. A package that segments graphemes with `Intl.Segmenter` would add 20 ms to startup;
 * this one goes by character classes. The screen renderer cuts off whatever it misjudges.
 */

/** The width of a text in terminal cells. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** The width of a row in terminal cells. */
export function rowWidth(whole: Row): number {
  return whole.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** A cluster of code points that display as one: a flag, or a character with its marks, skin tones and joined parts. */
const CLUSTER =
  /(?:\p{RI}{2}|[^])[\p{M}\p{Emoji_Modifier}]*(?:\u{200D}[^][\p{M}\p{Emoji_Modifier}]*)*/gu;

/** The longest prefix of a text that fits into `cells` cells. */
export function takeCells(text: string, cells: number): string {
  // Each cluster is measured once, because measuring every prefix of hostile engine output could take forever.
  let [end, left] = [0, cells];
  for (const [cluster] of text.matchAll(CLUSTER)) {
    left -= widthOf(cluster);
    if (left < 0) break;
    end += cluster.length;
  }
  return text.slice(0, end);
}

/** The text cut to `cells` cells, with an ellipsis if anything was cut off. */
export function cutText(text: string, cells: number): string {
  return widthOf(text) <= cells ? text : `${takeCells(text, cells - 1)}…`;
}

/** The text padded with trailing spaces to at least `cells` cells. */
export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - widthOf(text)));
}

/** The row cut to `columns` cells, with an ellipsis if anything was cut off. */
export function clipRow(whole: Row, columns: number): Row {
  if (rowWidth(whole) <= columns) return whole;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const one of whole) {
    const text = takeCells(one.text, left);
    kept.push({ ...one, text });
    left -= widthOf(text);
    if (text.length < one.text.length) break;
  }
  return [...kept, span("faint", columns > 0 ? "…" : "")];
}

/** The text wrapped into rows of at most `columns` cells, at spaces where possible. */
export function wrapSpan({ style, text }: Span, columns: number): readonly Row[] {
  return wrapText(text, columns).map((piece) => row(span(style, piece)));
}

/** The text wrapped into pieces of at most `columns` cells, at spaces where possible. */
export function wrapText(text: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (widthOf(rest) > columns) {
    // Every piece has at least one character, even on a screen one cell wide.
    const head = takeCells(rest, Math.max(columns, 2)) || (/^./su.exec(rest)?.[0] ?? rest);
    const space = head.lastIndexOf(" ");
    const isWord = rest[head.length] !== " " && space > head.length / 2;
    const piece = isWord ? head.slice(0, space) : head;
    pieces.push(piece);
    rest = rest.slice(piece.length).trimStart();
  }
  return [...pieces, rest];
}
