import pc from "picocolors";
import { plainText, type Row, type Span, type Style } from "../views/rows/row.ts";

/** Rows as text for a terminal; without colours each stays as it is. */
export function paintRows(rows: readonly Row[], hasColors: boolean): string {
  return hasColors ? rows.map((row) => paintRow(row, hasColors)).join("\n") : plainText(rows);
}

/** One row. A cursor is visible without colours too. */
export function paintRow(row: Row, hasColors: boolean): string {
  return row.map((span) => paintSpan(span, hasColors)).join("");
}

const COLORS = pc.createColors(true);

/** A stable colour for each speaker. */
const PAINTS: Readonly<Record<Style, (text: string) => string>> = {
  good: COLORS.green,
  bad: COLORS.red,
  ask: (text) => COLORS.bold(COLORS.yellow(text)),
  plain: (text) => text,
  faint: COLORS.dim,
  strong: COLORS.bold,
  cursor: COLORS.inverse,
  planner: COLORS.magenta,
  builder: COLORS.cyan,
  reviewer: COLORS.yellow,
  tester: COLORS.blue,
  wisp: COLORS.dim,
  you: COLORS.bold,
};

function paintSpan({ style, text, isStrong = false }: Span, hasColors: boolean): string {
  if (text === "" || (!hasColors && style !== "cursor")) return text;
  const painted = PAINTS[style](text);
  return isStrong ? COLORS.bold(painted) : painted;
}
