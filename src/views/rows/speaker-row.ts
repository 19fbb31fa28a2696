import { padCells } from "./cells.ts";
import { row, span, type Row, type Span, type Speaker } from "./row.ts";

const NAME_CELLS = "reviewer".length;

/** A speaker's words after their name, or after another label: `builder  | finished "API"`. */
export function speakerRow(
  speaker: Speaker,
  words: Span,
  name = padCells(speaker, NAME_CELLS),
): Row {
  return row(span(speaker, name), " ", span("faint", "|"), " ", words);
}
