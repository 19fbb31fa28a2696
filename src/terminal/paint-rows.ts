import pc from "picocolors";
import { present } from "../base/assert.ts";
import { perRole, ROLES } from "../base/role.ts";
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

/** The colours of the roles, in their order. */
const ROLE_PAINTS = [
  COLORS.magenta,
  COLORS.cyan,
  COLORS.yellow,
  COLORS.blue,
  COLORS.green,
] as const;

/** A stable colour for each speaker. */
const PAINTS: Readonly<Record<Style, (text: string) => string>> = {
  good: COLORS.green,
  bad: COLORS.red,
  ask: (text) => COLORS.bold(COLORS.yellow(text)),
  plain: (text) => text,
  faint: COLORS.dim,
  strong: COLORS.bold,
  cursor: COLORS.inverse,
  question: (text) => COLORS.bold(COLORS.cyanBright(text)),
  ...perRole((role) => present(ROLE_PAINTS[ROLES.indexOf(role) % ROLE_PAINTS.length], "a colour")),
  wisp: COLORS.dim,
  you: COLORS.bold,
};

function paintSpan({ style, text, isStrong = false }: Span, hasColors: boolean): string {
  if (text === "" || (!hasColors && style !== "cursor")) return text;
  const painted = PAINTS[style](text);
  return isStrong ? COLORS.bold(painted) : painted;
}
