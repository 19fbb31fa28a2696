import truncatedWidth from "fast-string-truncated-width";
import { span, type Row, type Span } from "./row.ts";

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
export function wrapSpan(one: Span, columns: number): readonly Row[] {
  return wrapRow([one], columns);
}

/** The row wrapped into rows of at most `columns` cells, at spaces where possible. */
export function wrapRow(whole: Row, columns: number): readonly Row[] {
  if (rowWidth(whole) <= columns) return [whole];
  const text = whole.map((one) => one.text).join("");
  return wrapPlaces(text, columns).map((place) => cutOut(whole, place));
}

/** The text wrapped into pieces of at most `columns` cells, at spaces where possible. */
export function wrapText(text: string, columns: number): readonly string[] {
  return wrapPlaces(text, columns).map(({ from, to }) => text.slice(from, to));
}

/** A part of a text, in UTF-16 code units. */
interface Place {
  readonly from: number;
  readonly to: number;
}

function wrapPlaces(text: string, columns: number): readonly Place[] {
  const places: Place[] = [];
  let rest = text;
  while (widthOf(rest) > columns) {
    // Every piece has at least one character, even on a screen one cell wide.
    const head = takeCells(rest, Math.max(columns, 2)) || (/^./su.exec(rest)?.[0] ?? rest);
    const space = head.lastIndexOf(" ");
    const isWord = rest[head.length] !== " " && space > head.length / 2;
    const from = text.length - rest.length;
    const length = isWord ? space : head.length;
    places.push({ from, to: from + length });
    rest = rest.slice(length).trimStart();
  }
  return [...places, { from: text.length - rest.length, to: text.length }];
}

/** The spans of a part of a row. */
function cutOut(whole: Row, { from, to }: Place): Row {
  let at = 0;
  return whole.flatMap((one) => {
    const begin = at;
    at += one.text.length;
    const text = one.text.slice(Math.max(0, from - begin), Math.max(0, to - begin));
    return text === "" ? [] : [{ ...one, text }];
  });
}
