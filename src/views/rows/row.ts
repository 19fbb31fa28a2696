import type { Role } from "../../base/role.ts";
import { sentence, type Tone } from "../../base/words/sentence.ts";

/** Who speaks in the view of a session. */
export type Speaker = Role | "wisp" | "you";

/** How a piece of text weighs, or whose it is; a terminal shows it by colour, where it has any. */
export type Style = Tone | Speaker | "strong" | "cursor";

/** A piece of a row in one style, without line breaks and control characters. */
export interface Span {
  readonly style: Style;
  readonly text: string;
  /** Stands out beside its style. */
  readonly isStrong?: boolean;
}

/** One row of what is shown, on a terminal or on the screen. */
export type Row = readonly Span[];

/** Makes a row of text that is safe to print and, where it matters, styles. */
export function row(...parts: readonly (string | Span)[]): Row {
  return parts.map((part) => (typeof part === "string" ? span("plain", part) : part));
}

/** A piece of text in a style. */
export function span(style: Style, text: string): Span {
  return { style, text };
}

/** A piece of text that may hold words of models and of the world: cleaned, and in one line. */
export function cleanSpan(tone: Tone, text: string): Span {
  return span(tone, sentence(tone, text).text);
}

/** Rows as text without colours. */
export function plainText(rows: readonly Row[]): string {
  return rows.map((one) => one.map(({ text }) => text).join("")).join("\n");
}

/** Blocks of rows, apart by a row that is empty; those that have no row are left out. */
export function inBlocks(blocks: readonly (readonly Row[])[]): readonly Row[] {
  return blocks
    .filter((rows) => rows.length > 0)
    .flatMap((rows, index) => (index === 0 ? rows : [row(""), ...rows]));
}

/** A title, and under it so many rows at most; of more, the rest is counted. Nothing where there is no row. */
export function titledRows(title: string, rows: readonly Row[], rowsMax: number): readonly Row[] {
  if (rows.length === 0) return [];
  const shown = rows.length > rowsMax ? rows.slice(0, rowsMax - 1) : rows;
  const rest = rows.length - shown.length;
  const more = rest === 0 ? [] : [row(span("faint", `  and ${String(rest)} more`))];
  return [row(span("strong", title)), ...shown.map((one) => row("  ", ...one)), ...more];
}
