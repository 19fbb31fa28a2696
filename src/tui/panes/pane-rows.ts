import { clipRow, cutText, rowWidth, widthOf } from "../../views/rows/cells.ts";
import { row, span, type Row, type Span } from "../../views/rows/row.ts";
import { barSpans } from "../../views/rows/bar-spans.ts";
import type { ScreenFacts } from "../../views/screen/screen-facts.ts";
import type { ScreenState } from "../screen-state.ts";
import { markMatches } from "../search-text.ts";
import type { ScreenSize } from "../screen-size.ts";
import { FRAME_CELLS, layoutPanes, type Pane, type PaneColumn } from "./pane-layout.ts";
import { focusedName, topOfPane } from "./pane-window.ts";

type Shown = Pick<ScreenState, "focus" | "places" | "search">;

/** The summary in panes, as wide and as high as the screen; undefined if the screen is too small for it. */
export function paneRows(
  facts: ScreenFacts,
  state: Shown,
  size: ScreenSize,
): readonly Row[] | undefined {
  const layout = layoutPanes(facts, size);
  if (layout === undefined) return undefined;
  const [title, ...rest] = layout.head;
  const head = title === undefined ? [] : [withProgress(title, facts, size.columns), ...rest];
  const names = layout.columns
    .flatMap(({ panes }) => panes)
    .flatMap((pane) => (pane.kind === "list" ? [pane.section.name] : []));
  const shown = { ...state, focus: focusedName(names, state.focus) ?? state.focus };
  return [...head, ...beside(layout.columns.map((column) => columnRows(column, shown)))];
}

function beside(columns: readonly (readonly Row[])[]): readonly Row[] {
  const [first = [], ...others] = columns;
  return first.map((one, index) => [...one, ...others.flatMap((rows) => rows[index] ?? [])]);
}

const BAR_CELLS_MAX = 40;
const BAR_CELLS_MIN = 6;

/** The title with a bar of all tasks at its right end, if there is room. */
function withProgress(title: Row, { tasks }: ScreenFacts, columns: number): Row {
  const percent = `${String(tasks.of === 0 ? 0 : Math.floor((tasks.done / tasks.of) * 100))}%`;
  const room = columns - rowWidth(title) - 2 - percent.length - 1;
  if (tasks.of === 0 || room < BAR_CELLS_MIN) return title;
  const cells = Math.min(room, BAR_CELLS_MAX);
  const gap = " ".repeat(2 + room - cells);
  return row(...title, gap, ...barSpans(tasks, cells), " ", span("strong", percent));
}

function columnRows({ columns, panes }: PaneColumn, state: Shown): readonly Row[] {
  const framed = panes.flatMap((pane, index) => {
    const corners = index === 0 ? TOP : BETWEEN;
    const heading = ruleRow(headingOf(pane, state), corners, columns);
    return [heading, ...contentRows(pane, state).map((one) => sidedRow(one, columns))];
  });
  return [...framed, ruleRow(NO_HEADING, BOTTOM, columns)];
}

/** A single pane: a frame with a title, as wide as the screen, around exactly `size.rows` rows. */
export function paneFrame(
  heading: Heading,
  rows: readonly Row[],
  size: ScreenSize,
): readonly Row[] {
  const { columns } = size;
  return [
    ruleRow(heading, TOP, columns),
    ...filled(rows, size.rows).map((one) => sidedRow(one, columns)),
    ruleRow(NO_HEADING, BOTTOM, columns),
  ];
}

function contentRows(pane: Pane, { places, search, focus }: Shown): readonly Row[] {
  if (pane.kind === "roles") return filled(pane.rows, pane.room);
  const { section, room } = pane;
  const top = topOfPane(section, places[section.name], room);
  const visible = section.rows.slice(top, top + room);
  const sought = section.name === focus ? search?.text : undefined;
  return filled(
    sought === undefined ? visible : visible.map((one) => markMatches(one, sought)),
    room,
  );
}

function filled(rows: readonly Row[], room: number): readonly Row[] {
  return [...rows, ...Array.from({ length: Math.max(0, room - rows.length) }, () => [])].slice(
    0,
    Math.max(0, room),
  );
}

interface Heading {
  readonly title: string;
  /** Which rows are visible, if not all are. */
  readonly note: string;
  readonly isFocused: boolean;
}

const NO_HEADING: Heading = { title: "", note: "", isFocused: false };

function headingOf(pane: Pane, { focus, places }: Shown): Heading {
  if (pane.kind === "roles") return { title: "Roles", note: "", isFocused: false };
  const { section, room } = pane;
  const { name, title, rows, first } = section;
  const top = topOfPane(section, places[name], room);
  const [from, to, of] = [
    first + top + 1,
    first + Math.min(top + room, rows.length),
    first + rows.length,
  ];
  const note = rows.length <= room ? "" : `${String(from)}-${String(to)} of ${String(of)}`;
  return { title, note, isFocused: name === focus };
}

type Corners = readonly [left: string, right: string];
const TOP: Corners = ["╭", "╮"];
const BETWEEN: Corners = ["├", "┤"];
const BOTTOM: Corners = ["╰", "╯"];

/** `╭─ Title ───── 3-9 of 20 ─╮`; the pane that keys scroll has an arrow before its title. */
function ruleRow(
  { title, note, isFocused }: Heading,
  [left, right]: Corners,
  columns: number,
): Row {
  const inner = columns - 2;
  const name = title === "" ? "" : cutText(`${isFocused ? "▸" : " "}${title} `, inner - 2);
  const room = inner - 2 - widthOf(name);
  const told = note === "" || widthOf(note) + 2 > room ? "" : ` ${note} `;
  const style = isFocused ? "good" : "strong";
  const named: Span = { ...span(style, name), isStrong: true };
  const line = "─".repeat(Math.max(0, room - widthOf(told)));
  return row(span("faint", `${left}─`), named, span("faint", `${line}${told}─${right}`));
}

function sidedRow(content: Row, columns: number): Row {
  const room = columns - FRAME_CELLS;
  const clipped = clipRow(content, room);
  const gap = " ".repeat(Math.max(0, room - rowWidth(clipped)));
  return row(span("faint", "│ "), ...clipped, gap, span("faint", " │"));
}

/** Rows in a frame of their own with a title; every row must fit into it. */
export function framedRows(title: Span, rows: readonly Row[], columns: number): readonly Row[] {
  const name = cutText(` ${title.text} `, columns - 4);
  const line = "─".repeat(Math.max(0, columns - 4 - widthOf(name)));
  const edge = (text: string) => span(title.style, text);
  return [
    row(edge("╭─"), { ...title, text: name }, edge(`${line}─╮`)),
    ...rows.map((one) => {
      const gap = " ".repeat(Math.max(0, columns - FRAME_CELLS - rowWidth(one)));
      return row(edge("│ "), ...clipRow(one, columns - FRAME_CELLS), gap, edge(" │"));
    }),
    row(edge(`╰${"─".repeat(Math.max(0, columns - 2))}╯`)),
  ];
}
