/** How a piece of text weighs; the terminal shows it by colour, where it has any. */
export type Style =
  | "plain"
  | "strong"
  | "cursor"
  | "faint"
  | "good"
  | "bad"
  | "ask"
  | "planner"
  | "builder"
  | "reviewer"
  | "tester"
  | "wisp"
  | "you";

/** A piece of a row in one style, without line breaks and control characters. */
export interface Span {
  readonly style: Style;
  readonly text: string;
}

/** One row of the screen. */
export type Row = readonly Span[];

/** Makes a row of text and, where it matters, styles. */
export function row(...parts: readonly (string | Span)[]): Row {
  return parts.map((part) => (typeof part === "string" ? { style: "plain", text: part } : part));
}

/** A piece of text in a style. */
export function span(style: Style, text: string): Span {
  return { style, text };
}

// Scripts and emoji that terminals draw two cells wide; the renderer cuts off what this misjudges.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF00-\uFF60]/u;
const NO_WIDTH = /[\p{M}\u200D\uFE0F]/u;

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellsOf(char);
  return width;
}

function cellsOf(char: string): number {
  if (NO_WIDTH.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** A row that fits into so many cells; what is cut off is told by an ellipsis. */
export function clipRow(whole: Row, columns: number): Row {
  if (whole.reduce((sum, { text }) => sum + widthOf(text), 0) <= columns) return whole;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const { style, text } of whole) {
    const head = takeCells(text, left);
    kept.push({ style, text: head });
    left -= widthOf(head);
    if (head.length < text.length) break;
  }
  return [...kept, { style: "faint", text: columns > 0 ? "…" : "" }];
}

/** The beginning of a text that fits into so many cells. */
export function takeCells(text: string, cells: number): string {
  let taken = "";
  let left = cells;
  for (const char of text) {
    left -= cellsOf(char);
    if (left < 0) return taken;
    taken += char;
  }
  return taken;
}

/** A text broken into pieces of at most so many cells, at spaces where there are any. */
export function wrapText(text: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (widthOf(rest) > columns) {
    const head = takeCells(rest, Math.max(columns, 2));
    const space = head.lastIndexOf(" ");
    const isWord = rest[head.length] !== " " && space > head.length / 2;
    const piece = isWord ? head.slice(0, space) : head;
    pieces.push(piece);
    rest = rest.slice(piece.length).trimStart();
  }
  return [...pieces, rest];
}
