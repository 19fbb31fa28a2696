import type { Row } from "../../views/rows/row.ts";
import type { ScreenFacts, ScreenSection } from "../../views/screen/screen-facts.ts";
import { noticeRows } from "../notice-rows.ts";
import { shareRows } from "../share-rows.ts";
import type { ScreenSize } from "../screen-size.ts";
import { roleRows } from "../role-rows.ts";

/** A pane with its content: the roles, or the window of a list. */
export type Pane =
  | { readonly kind: "roles"; readonly rows: readonly Row[]; readonly room: number }
  | { readonly kind: "list"; readonly section: ScreenSection; readonly room: number };

/** Panes below each other in one frame, which is `columns` cells wide. */
export interface PaneColumn {
  readonly columns: number;
  readonly panes: readonly Pane[];
}

/** Where everything of the summary is. */
export interface PaneLayout {
  readonly head: readonly Row[];
  readonly columns: readonly PaneColumn[];
}

/** On a smaller screen, frames would take more than they give. */
const FRAMED_MIN: ScreenSize = { columns: 60, rows: 15 };
/** From this width, the events are beside the rest. */
const WIDE_COLUMNS_MIN = 110;
/** Of a wide screen, the part that the roles and the plan take. */
const LEFT_SHARE = 0.44;
const LEFT_COLUMNS = { min: 52, max: 90 } as const;
/** A frame and its inner margin, on both sides. */
export const FRAME_CELLS = 4;

/** Whether the screen has room for frames. */
export function hasFrames({ columns, rows }: ScreenSize): boolean {
  return columns >= FRAMED_MIN.columns && rows >= FRAMED_MIN.rows;
}

/** The summary in panes; undefined if the screen is too small for frames. */
export function layoutPanes(facts: ScreenFacts, size: ScreenSize): PaneLayout | undefined {
  if (!hasFrames(size)) return undefined;
  const head = headRows(facts, size);
  const rows = size.rows - head.length;
  const { sections } = facts;
  if (size.columns < WIDE_COLUMNS_MIN) {
    return { head, columns: [columnOf(facts, sections, { columns: size.columns, rows })] };
  }
  const left = leftColumns(size.columns);
  const events = sections.filter(({ name }) => name === "events");
  const others = withOpenTasks(facts, rows);
  const beside = events.map((section): PaneColumn => {
    const pane = { kind: "list", section, room: rows - 2 } as const;
    return { columns: size.columns - left, panes: [pane] };
  });
  const columns = beside.length === 0 ? size.columns : left;
  return { head, columns: [columnOf(facts, others, { columns, rows }), ...beside] };
}

/** The lists beside the events: also the open tasks, if every other list and the roles have all the room they want. */
function withOpenTasks(
  { sections, roles, openTasks }: ScreenFacts,
  rows: number,
): readonly ScreenSection[] {
  const others = sections.filter(({ name }) => name !== "events");
  if (openTasks === undefined) return others;
  const frames = others.length + OPEN_TASKS_FRAMES;
  const wanted = others.reduce((sum, section) => sum + section.rows.length, roles.length * 2);
  const fits = frames + wanted + Math.min(openTasks.rows.length, LIST_ROWS_MIN) <= rows;
  return fits ? [...others, openTasks] : others;
}

/** The frame above the roles, the one below the last list, and the one above the tasks. */
const OPEN_TASKS_FRAMES = 3;

function leftColumns(columns: number): number {
  const { min, max } = LEFT_COLUMNS;
  return Math.max(min, Math.min(max, Math.floor(columns * LEFT_SHARE)));
}

/** At most this part of the rows is for notices. */
const NOTICES_SHARE = 6;

function headRows({ title, notices }: ScreenFacts, { columns, rows }: ScreenSize): readonly Row[] {
  const most = Math.max(2, Math.floor(rows / NOTICES_SHARE));
  return [...title, ...noticeRows(notices, { columns, rows: most })];
}

/** The roles, and below them some lists, which fill the column. */
function columnOf(
  { roles }: ScreenFacts,
  sections: readonly ScreenSection[],
  { columns, rows }: ScreenSize,
): PaneColumn {
  const frames = sections.length + 2;
  const wanted = sections.map((section) => section.rows.length);
  const needed = Math.min(
    wanted.reduce((sum, one) => sum + one, 0),
    sections.length * LIST_ROWS_MIN,
  );
  const shown = roleRows(roles, {
    columns: columns - FRAME_CELLS,
    rows: Math.max(roles.length, rows - frames - needed),
  });
  const left = rows - frames - shown.length;
  const given = shareRows(left, wanted);
  const spare = left - given.reduce((sum, one) => sum + one, 0);
  const lists = sections.map((section, index): Pane => {
    const isLast = index === sections.length - 1;
    return { kind: "list", section, room: (given[index] ?? 0) + (isLast ? spare : 0) };
  });
  const rolesRoom = shown.length + (lists.length === 0 ? spare : 0);
  return { columns, panes: [{ kind: "roles", rows: shown, room: rolesRoom }, ...lists] };
}

/** The last lines of the engines get rows of their own only if each list can have this many. */
const LIST_ROWS_MIN = 5;
