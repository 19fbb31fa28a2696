import { padCells } from "./cells.ts";
import { row, span, type Row, type Span, type Speaker } from "./row.ts";

const NAME_CELLS = "reviewer".length;

/** What somebody says, behind their name, or another in its place: `builder  | finished "API"`. */
export function speakerRow(
  speaker: Speaker,
  words: Span,
  name = padCells(speaker, NAME_CELLS),
): Row {
  return row(span(speaker, name), " ", span("faint", "|"), " ", words);
}
