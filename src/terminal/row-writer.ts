import { rowWidth } from "../views/rows/cells.ts";
import type { Row } from "../views/rows/row.ts";
import { paintRow } from "./paint-rows.ts";

/** What rows are drawn on. */
export interface Drawing {
  readonly write: (text: string) => void;
  readonly columns: number;
  readonly hasColors: boolean;
}

// A terminal that knows synchronized output shows everything between these at once; others ignore them.
const BEGIN = "\u001B[?2026h";
const END = "\u001B[?2026l";
const ERASE_REST = "\u001B[K";

/**
 * Draws rows on a whole terminal. It writes only the rows that differ from what is there, each of them over the old one
 * instead of erasing it first, so that nothing flickers.
 */
export class RowWriter {
  #drawn: readonly string[] = [];

  /** Draws rows from the top; what was below them is erased. Writes nothing if nothing has changed. */
  draw(rows: readonly Row[], { write, columns, hasColors }: Drawing): void {
    const painted = rows.map((one) => paintedRow(one, columns, hasColors));
    const height = Math.max(painted.length, this.#drawn.length);
    let text = "";
    for (let index = 0; index < height; index++) {
      const next = painted[index] ?? ERASE_REST;
      if (next !== (this.#drawn[index] ?? ERASE_REST)) text += toRow(index) + next;
    }
    this.#drawn = painted;
    if (text !== "") write(BEGIN + text + END);
  }
}

function toRow(index: number): string {
  return `\u001B[${String(index + 1)};1H`;
}

/** After a character in the last column, terminals would erase that character. */
function paintedRow(one: Row, columns: number, hasColors: boolean): string {
  return paintRow(one, hasColors) + (rowWidth(one) < columns ? ERASE_REST : "");
}
