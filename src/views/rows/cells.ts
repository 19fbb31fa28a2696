import truncatedWidth from "fast-string-truncated-width";
import { row, span, type Row, type Span } from "./row.ts";

/*
 * Text measured in cells of a terminal. Loading a package that tells graphemes apart by `Intl.Segmenter` costs a start
 * 20 ms; this one works by the classes of characters. What it misjudges, the renderer of the screen cuts off.
 */

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** How many cells of a terminal a row takes. */
export function rowWidth(whole: Row): number {
  return whole.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** What takes its cells together: a flag, or a character with its marks, skin tones and what is joined to it. */
const CLUSTER =
  /(?:\p{RI}{2}|[^])[\p{M}\p{Emoji_Modifier}]*(?:\u{200D}[^][\p{M}\p{Emoji_Modifier}]*)*/gu;

/** The beginning of a text that fits into so many cells. */
export function takeCells(text: string, cells: number): string {
  // Each cluster is measured once: text of engines may be made so that to measure its beginnings takes for ever.
  let [end, left] = [0, cells];
  for (const [cluster] of text.matchAll(CLUSTER)) {
    left -= widthOf(cluster);
    if (left < 0) break;
    end += cluster.length;
  }
  return text.slice(0, end);
}

/** A text that fits into so many cells; what is cut off is told by an ellipsis. */
export function cutText(text: string, cells: number): string {
  return widthOf(text) <= cells ? text : `${takeCells(text, cells - 1)}…`;
}

/** A text with spaces behind it, as wide as so many cells at least. */
export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - widthOf(text)));
}

/** A row that fits into so many cells; what is cut off is told by an ellipsis. */
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

/** A text broken into rows of at most so many cells, at spaces where there are any. */
export function wrapSpan({ style, text }: Span, columns: number): readonly Row[] {
  return wrapText(text, columns).map((piece) => row(span(style, piece)));
}

/** A text broken into pieces of at most so many cells, at spaces where there are any. */
export function wrapText(text: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (widthOf(rest) > columns) {
    // On a screen of one cell, too, each piece has a character.
    const head = takeCells(rest, Math.max(columns, 2)) || (/^./su.exec(rest)?.[0] ?? rest);
    const space = head.lastIndexOf(" ");
    const isWord = rest[head.length] !== " " && space > head.length / 2;
    const piece = isWord ? head.slice(0, space) : head;
    pieces.push(piece);
    rest = rest.slice(piece.length).trimStart();
  }
  return [...pieces, rest];
}
