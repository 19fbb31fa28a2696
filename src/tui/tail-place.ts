import { wrapRow } from "../views/rows/cells.ts";
import type { Row } from "../views/rows/row.ts";

/** Lines that are wrapped and scrolled: the tail of an output, or a page of text. */
export interface ScrolledLines {
  /** The number of the first line; greater than 0 if earlier lines were dropped. */
  readonly first: number;
  readonly lines: readonly Row[];
}

/** The first visible row of a tail. */
export interface TailPlace {
  /** Number of the line, counted from the first line ever shown. */
  readonly line: number;
  /** Which row of the wrapped line, from 0. */
  readonly part: number;
}

/** A move in a tail: by a number of rows, or to one of its ends. */
export type TailMove = { readonly rows: number } | "begin" | "end";

/** The room for a tail, in cells. */
export interface TailRoom {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The place after a move; undefined for the end, where new output is followed. A place is anchored to its line, so that
 * new output or a new width does not move the text that the person reads.
 */
export function moveTail(
  tail: ScrolledLines,
  from: TailPlace | undefined,
  { move, room }: { readonly move: TailMove; readonly room: TailRoom },
): TailPlace | undefined {
  const last = lastPlace(tail, room);
  if (move === "end") return undefined;
  const begin = { line: tail.first, part: 0 };
  const here = from === undefined ? last : within(tail, from, room);
  const there = move === "begin" ? begin : walk(tail, here, { rows: move.rows, room });
  return isBefore(there, last) ? there : undefined;
}

/** The rows of a tail starting at a place, or else its last rows; never more than fit. */
export function tailRowsFrom(
  tail: ScrolledLines,
  from: TailPlace | undefined,
  room: TailRoom,
): readonly Row[] {
  const { line, part } = tailBegin(tail, from, room);
  const begin = line - tail.first;
  return tail.lines
    .slice(begin, begin + room.rows + 1)
    .flatMap((one) => wrapRow(one, room.columns))
    .slice(part, part + room.rows);
}

/** The first visible row: the given place, unless more rows than those after it fit. */
export function tailBegin(
  tail: ScrolledLines,
  from: TailPlace | undefined,
  room: TailRoom,
): TailPlace {
  const last = lastPlace(tail, room);
  const here = from === undefined ? last : within(tail, from, room);
  return isBefore(here, last) ? here : last;
}

/** The last place from which a full page up to the end is visible. */
function lastPlace(tail: ScrolledLines, room: TailRoom): TailPlace {
  const line = tail.first + tail.lines.length - 1;
  const end = { line, part: partsOf(tail, line, room) - 1 };
  return walk(tail, end, { rows: 1 - room.rows, room });
}

/** The place a number of rows further or back, as far as there are rows. */
function walk(
  tail: ScrolledLines,
  { line, part }: TailPlace,
  { rows, room }: { readonly rows: number; readonly room: TailRoom },
): TailPlace {
  const end = tail.first + tail.lines.length;
  let at = { line, part: part + rows };
  while (at.part < 0 && at.line > tail.first) {
    at = { line: at.line - 1, part: at.part + partsOf(tail, at.line - 1, room) };
  }
  for (let parts = partsOf(tail, at.line, room); at.part >= parts && at.line < end - 1;) {
    at = { line: at.line + 1, part: at.part - parts };
    parts = partsOf(tail, at.line, room);
  }
  return within(tail, at, room);
}

/** The place, or the nearest one that exists. */
function within(tail: ScrolledLines, { line, part }: TailPlace, room: TailRoom): TailPlace {
  if (line < tail.first) return { line: tail.first, part: 0 };
  const at = Math.min(line, tail.first + tail.lines.length - 1);
  return { line: at, part: Math.max(0, Math.min(part, partsOf(tail, at, room) - 1)) };
}

function partsOf({ first, lines }: ScrolledLines, line: number, { columns }: TailRoom): number {
  const whole = lines[line - first];
  return whole === undefined ? 1 : wrapRow(whole, columns).length;
}

function isBefore(one: TailPlace, other: TailPlace): boolean {
  return one.line < other.line || (one.line === other.line && one.part < other.part);
}
