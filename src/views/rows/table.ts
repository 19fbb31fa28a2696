import { padCells, rowWidth, widthOf } from "./cells.ts";
import { row, span, type Row, type Span, type Style } from "./row.ts";

/** The content of one table cell: text that is safe to print, or styled text. Use `cleanSpan` for untrusted text. */
export type Cell = string | Span | Row;

/** The layout of a column. By default it is left-aligned and as wide as its widest cell. */
export interface Column {
  readonly isRight?: boolean;
  /** The minimum width in terminal cells. */
  readonly widthMin?: number;
}

/** Cells in columns, two spaces apart. Empty cells at the end of a row leave no trailing spaces. */
export function table(
  lines: readonly (readonly Cell[])[],
  columns: readonly Column[] = [],
): readonly Row[] {
  const rows = lines.map((cells) => cells.map(contentOf));
  const widthAt = (at: number) =>
    Math.max(columns[at]?.widthMin ?? 0, ...rows.map((cells) => rowWidth(cells[at] ?? [])));
  const count = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: count }, (_, at) => widthAt(at));
  return rows.map((cells) => {
    const last = cells.findLastIndex((cell) => rowWidth(cell) > 0);
    return cells.slice(0, last + 1).flatMap((cell, at) => {
      const between = at === 0 ? [] : row("  ");
      if (columns[at]?.isRight === true) return [...between, ...toTheRight(cell, widths[at])];
      return [...between, ...(at === last ? cell : toTheLeft(cell, widths[at]))];
    });
  });
}

/** A name and its value. */
export type Fact = readonly [name: string, value: Cell];

/** Names with their values, slightly indented. */
export function namedRows(
  facts: readonly Fact[],
  { widthMin = 0, style = "plain" }: { readonly widthMin?: number; readonly style?: Style } = {},
): readonly Row[] {
  const lines = facts.map(([name, value]) => [span(style, name), value]);
  return table(lines, [{ widthMin }]).map((one) => row("  ", ...one));
}

function contentOf(cell: Cell): Row {
  return typeof cell === "string" || "style" in cell ? row(cell) : cell;
}

function toTheRight(cell: Row, width = 0): Row {
  return row(" ".repeat(Math.max(0, width - rowWidth(cell))), ...cell);
}

/** The trailing spaces take the style of the last span. */
function toTheLeft(cell: Row, width = 0): Row {
  const end = cell.at(-1) ?? span("plain", "");
  const room = width - rowWidth(cell) + widthOf(end.text);
  return [...cell.slice(0, -1), { ...end, text: padCells(end.text, room) }];
}
