import { row, span, type Row } from "../../views/rows/row.ts";
import type { PageFacts } from "../../views/screen/page-facts.ts";
import type { ScreenFacts } from "../../views/screen/screen-facts.ts";
import { FRAME_CELLS, hasFrames } from "../panes/pane-layout.ts";
import { paneFrame } from "../panes/pane-rows.ts";
import type { ScreenSize } from "../screen-size.ts";
import type { ScreenState } from "../screen-state.ts";
import { markMatches } from "../search-text.ts";
import { tailBegin, tailRowsFrom, type TailRoom } from "../tail-place.ts";
import { chosenAt, factsOf, topOfList, type OpenPage } from "./open-page.ts";

/** The rows around the content of a page: the title of the session, and a frame or a title. */
const FRAMED_ROWS = 3;
const UNFRAMED_ROWS = 1;

/** The room that a page has on this part of the screen. */
export function pageRoom(size: ScreenSize): TailRoom {
  return hasFrames(size)
    ? { columns: size.columns - FRAME_CELLS, rows: size.rows - FRAMED_ROWS }
    : { columns: size.columns, rows: size.rows - UNFRAMED_ROWS };
}

/** A page in place of the summary. */
export function pageRows(
  { title, page }: ScreenFacts,
  open: OpenPage,
  { search, size }: Pick<ScreenState, "search"> & { readonly size: ScreenSize },
): readonly Row[] {
  const room = pageRoom(size);
  const facts = factsOf(open, page);
  const shown = facts === undefined ? READING : visibleRows(facts, open, room);
  const rows = shown.rows.map((one) => markMatches(one, search?.text ?? ""));
  const name = facts?.title ?? "";
  if (!hasFrames(size)) return [row(span("strong", name)), ...rows];
  const heading = { title: name, note: shown.note, isFocused: true };
  return [...title.slice(0, 1), ...paneFrame(heading, rows, { ...size, rows: room.rows })];
}

/** The visible rows of a page, and which of them they are if not all are visible. */
interface VisibleRows {
  readonly rows: readonly Row[];
  readonly note: string;
}

const READING: VisibleRows = { rows: [row(span("faint", "Reading…"))], note: "" };

function visibleRows(facts: PageFacts, open: OpenPage, room: TailRoom): VisibleRows {
  if (room.rows < 1) return { rows: [], note: "" };
  if (facts.kind === "text") {
    const text = { first: 0, lines: facts.lines };
    const rows = tailRowsFrom(text, open.place, room);
    const { line } = tailBegin(text, open.place, room);
    const isWhole = rows.length < room.rows;
    return {
      rows,
      note: isWhole ? "" : `line ${String(line + 1)} of ${String(facts.lines.length)}`,
    };
  }
  const of = facts.rows.length;
  if (of === 0) return { rows: [row(span("faint", facts.ifNone))], note: "" };
  const at = chosenAt(open, facts.items);
  const top = topOfList(open, { at, of, room: room.rows });
  const rows = facts.rows
    .slice(top, top + room.rows)
    .map((one, index) => markedRow(one, top + index === at));
  return { rows, note: of > room.rows ? `${String(at + 1)} of ${String(of)}` : "" };
}

/** The chosen row can be told without colours. */
function markedRow(whole: Row, isChosen: boolean): Row {
  if (!isChosen) return row("  ", ...whole);
  return row(span("good", "▸ "), ...whole.map((one) => ({ ...one, isStrong: true })));
}
