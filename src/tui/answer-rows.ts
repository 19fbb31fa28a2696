import { takeCells } from "../views/rows/cells.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import type { EditedLine } from "./line-editor.ts";
import type { ScreenSize } from "./screen-size.ts";

const MARK = "> ";
/** Before the first or the last visible row, if there are more. */
const MORE_MARK = "⋮ ";

/** A part of the text that fits into a row. */
interface Piece {
  /** UTF-16 code units before it. */
  readonly begin: number;
  readonly text: string;
}

/** An answer that is being edited, wrapped; of a long one, the rows around the cursor, at most as many as there is room for. */
export function answerRows({ text, cursor }: EditedLine, room: ScreenSize): readonly Row[] {
  const pieces = piecesOf(text, Math.max(1, room.columns - MARK.length));
  const at = pieces.findLastIndex(({ begin }) => begin <= cursor);
  const top = Math.max(0, Math.min(at - Math.floor(room.rows / 2), pieces.length - room.rows));
  const shown = pieces.slice(top, top + room.rows);
  return shown.map((piece, index) => {
    const number = top + index;
    const isMore =
      (index === 0 && top > 0) || (index === shown.length - 1 && number < pieces.length - 1);
    const mark = isMore ? MORE_MARK : number === 0 ? MARK : " ".repeat(MARK.length);
    const marked = span(isMore ? "faint" : "strong", mark);
    return row(marked, ...(number === at ? withCursor(piece, cursor) : [piece.text]));
  });
}

function withCursor({ begin, text }: Piece, cursor: number): Row {
  const [before, rest] = [text.slice(0, cursor - begin), text.slice(cursor - begin)];
  const [at = " "] = rest;
  return row(before, span("cursor", at), rest.slice(at.length));
}

function piecesOf(text: string, cells: number): readonly Piece[] {
  let begin = 0;
  return text.split("\n").flatMap((line) => {
    const pieces = wrapped(line, begin, cells);
    begin += line.length + 1;
    return pieces;
  });
}

/** The rows of a line; behind a row that is full, there is one for the cursor. */
function wrapped(line: string, first: number, cells: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let isFull = true; isFull;) {
    const rest = line.slice(at);
    // Every piece has at least one character, even on a screen one cell wide.
    const text = takeCells(rest, cells) || (/^./su.exec(rest)?.[0] ?? "");
    pieces.push({ begin: first + at, text });
    at += text.length;
    isFull = at < line.length || takeCells(`${text} `, cells) === text;
  }
  return pieces;
}
