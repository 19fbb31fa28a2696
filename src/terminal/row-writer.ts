import { rowWidth } from "../views/rows/cells.ts";
import type { Row } from "../views/rows/row.ts";
import { changedPart } from "./changed-part.ts";
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
 * Draws rows on a whole terminal. It writes only what differs from what is there, over the old characters instead of
 * erasing them first, so that nothing flickers.
 */
export class RowWriter {
  #drawn: readonly Row[] = [];

  /** Draws rows from the top; what was below them is erased. Writes nothing if nothing has changed. */
  draw(rows: readonly Row[], { write, columns, hasColors }: Drawing): void {
    const height = Math.max(rows.length, this.#drawn.length);
    let text = "";
    for (let index = 0; index < height; index++) {
      const [before = [], after = []] = [this.#drawn[index], rows[index]];
      if (paintRow(before, hasColors) === paintRow(after, hasColors)) continue;
      const { cells, part, isWithin } = changedPart(before, after);
      // After a character in the last column, terminals would erase that character.
      const isFull = isWithin || rowWidth(after) >= columns;
      text += toCell(index, cells) + paintRow(part, hasColors) + (isFull ? "" : ERASE_REST);
    }
    this.#drawn = rows;
    if (text !== "") write(BEGIN + text + END);
  }
}

function toCell(index: number, cells: number): string {
  return `\u001B[${String(index + 1)};${String(cells + 1)}H`;
}
