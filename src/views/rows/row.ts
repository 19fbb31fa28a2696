import type { Role } from "../../base/role.ts";
import { sentence, type Tone } from "../../base/words/sentence.ts";

/** A speaker in the view of a session. */
export type Speaker = Role | "wisp" | "you";

/** The importance or the speaker of a piece of text; a terminal with colours shows it as a colour. */
export type Style = Tone | Speaker | "strong" | "cursor" | "question";

/** A piece of a row in one style, without line breaks or control characters. */
export interface Span {
  readonly style: Style;
  readonly text: string;
  /** Whether the text is emphasized in addition to its style. */
  readonly isStrong?: boolean;
}

/** One row of output, in plain terminal output or on the full screen. */
export type Row = readonly Span[];

/** Makes a row from text that is safe to print and from styled spans. */
export function row(...parts: readonly (string | Span)[]): Row {
  return parts.map((part) => (typeof part === "string" ? span("plain", part) : part));
}

/** A piece of text in a style. */
export function span(style: Style, text: string): Span {
  return { style, text };
}

/** A span of text from models or other untrusted sources, cleaned and on one line. */
export function cleanSpan(tone: Tone, text: string): Span {
  return span(tone, sentence(tone, text).text);
}

/** The rows as text without colours. */
export function plainText(rows: readonly Row[]): string {
  return rows.map((one) => one.map(({ text }) => text).join("")).join("\n");
}

/** Blocks of rows, separated by empty rows; blocks without rows are left out. */
export function inBlocks(blocks: readonly (readonly Row[])[]): readonly Row[] {
  return blocks
    .filter((rows) => rows.length > 0)
    .flatMap((rows, index) => (index === 0 ? rows : [row(""), ...rows]));
}

/** A title and below it at most `rowsMax` rows; the rest is only counted. Without rows, the title is left out. */
export function titledRows(title: string, rows: readonly Row[], rowsMax: number): readonly Row[] {
  if (rows.length === 0) return [];
  const shown = rows.length > rowsMax ? rows.slice(0, rowsMax - 1) : rows;
  const rest = rows.length - shown.length;
  const more = rest === 0 ? [] : [row(span("faint", `  and ${String(rest)} more`))];
  return [row(span("strong", title)), ...shown.map((one) => row("  ", ...one)), ...more];
}
