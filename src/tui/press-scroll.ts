import type { PaneName } from "../views/screen/screen-facts.ts";
import { pageKey } from "../views/screen/page-facts.ts";
import { factsOf } from "./pages/open-page.ts";
import { scrollPage, searchedPage, showOnPage } from "./pages/press-page.ts";
import { focusedName, movePane, topOfPane, type PaneMove } from "./panes/pane-window.ts";
import { nextMatch } from "./search-text.ts";
import {
  changed,
  type KeyGround,
  type PaneGround,
  type Pressed,
  type ScreenState,
  type Scroll,
} from "./screen-state.ts";
import { moveTail, tailBegin, type TailMove } from "./tail-place.ts";

/** The letters that pagers use for scrolling. */
export const LETTER_SCROLLS: Partial<Readonly<Record<string, Scroll>>> = {
  j: "down",
  k: "up",
  g: "begin",
  G: "end",
  " ": "page-down",
  b: "page-up",
};

/** Scrolls the output, or the chosen pane of the summary. */
export function scroll(state: ScreenState, by: Scroll, ground: KeyGround): Pressed {
  const unread = unreadOf(state, ground);
  if (unread !== undefined) return changed(state, { scrollsAhead: withScroll(state, unread, by) });
  if (state.pages.length > 0) {
    return scrollPage(state, ground, moveOf(by, ground.pageRoom?.rows ?? 1));
  }
  return state.mode === "tail" ? scrollTail(state, by, ground) : scrollPane(state, by, ground);
}

/** How many keys are kept while a page or the output of a role is being read. */
const SCROLLS_AHEAD_MAX = 1_000;

function withScroll({ scrollsAhead }: ScreenState, of: string, by: Scroll) {
  const before = scrollsAhead?.of === of ? scrollsAhead.moves : [];
  return { of, moves: [...before, by].slice(0, SCROLLS_AHEAD_MAX) };
}

/** The screen after the scrolling that waited for what is shown, once that has been read. */
export function takeScrollsAhead(state: ScreenState, ground: KeyGround): ScreenState {
  const { scrollsAhead } = state;
  if (scrollsAhead === undefined) return state;
  const unread = unreadOf(state, ground);
  if (unread === scrollsAhead.of) return state;
  const taken: ScreenState = { ...state, scrollsAhead: undefined };
  if (shownName(state) !== scrollsAhead.of) return taken;
  return scrollsAhead.moves.reduce((now, by) => scroll(now, by, ground).state, taken);
}

/** The role or the page that is shown; undefined for the summary. */
function shownName({ mode, role, pages }: ScreenState): string | undefined {
  const open = pages.at(-1);
  if (open !== undefined) return pageKey(open.page);
  return mode === "tail" ? role : undefined;
}

/** The role or the page that is shown if it is being read still. */
function unreadOf(state: ScreenState, { tail, page }: KeyGround): string | undefined {
  const open = state.pages.at(-1);
  const isRead = open === undefined ? tail?.role === state.role : factsOf(open, page) !== undefined;
  return isRead ? undefined : shownName(state);
}

/** Chooses the next pane of the summary. */
export function nextPane(state: ScreenState, { panes = [] }: KeyGround): Pressed {
  const focused = focusedName(namesOf(panes), state.focus);
  const at = panes.findIndex(({ section }) => section.name === focused);
  const next = panes[(at + 1) % panes.length]?.section.name;
  return changed(state, next === undefined ? {} : { focus: next, search: undefined });
}

/** Scrolling by a page keeps one row of the previous page in sight. */
function moveOf(by: Scroll, room: number): TailMove & PaneMove {
  const page = Math.max(room - 1, 1);
  switch (by) {
    case "up":
      return { rows: -1 };
    case "down":
      return { rows: 1 };
    case "page-up":
      return { rows: -page };
    case "page-down":
      return { rows: page };
    default:
      return by;
  }
}

function scrollTail(state: ScreenState, by: Scroll, { tail, room }: KeyGround): Pressed {
  const isShown = tail !== undefined && tail.role === state.role && tail.lines.length > 0;
  if (!isShown || room === undefined || room.rows < 1) return changed(state, {});
  const place = moveTail(tail, state.place, { move: moveOf(by, room.rows), room });
  return changed(state, { place });
}

function scrollPane(state: ScreenState, by: Scroll, ground: KeyGround): Pressed {
  const pane = focusedPane(state, ground);
  if (pane === undefined) return changed(state, {});
  const { section, room } = pane;
  const { name } = section;
  const place = movePane(section, state.places[name], { move: moveOf(by, room), room });
  return changed(state, { places: { ...state.places, [name]: place } });
}

function focusedPane({ focus }: ScreenState, { panes = [] }: KeyGround): PaneGround | undefined {
  const focused = focusedName(namesOf(panes), focus);
  return panes.find(({ section }) => section.name === focused);
}

function namesOf(panes: readonly PaneGround[]): readonly PaneName[] {
  return panes.map(({ section }) => section.name);
}

/** Looks for a text in what keys scroll; the first match is at or after the first visible row. */
export function beginSearch(state: ScreenState, text: string, ground: KeyGround): Pressed {
  if (text === "") return changed(state, { search: undefined });
  const top = firstVisible(state, ground);
  const from = top === undefined ? undefined : top - 1;
  return find({ ...state, search: { text, at: from } }, ground, false);
}

/** Goes to the next match, or to the previous one. */
export function searchOn(state: ScreenState, ground: KeyGround, isBack: boolean): Pressed {
  return state.search === undefined ? changed(state, {}) : find(state, ground, isBack);
}

function find(state: ScreenState, ground: KeyGround, isBack: boolean): Pressed {
  const { search } = state;
  const content = contentOf(state, ground);
  if (search === undefined || content === undefined) return changed(state, { search: undefined });
  const { text, at: from = content.first - 1 } = search;
  const at = nextMatch(content, text, { from, isBack });
  if (at === undefined) return changed(state, { search: { text, at }, remark: NOT_FOUND });
  return { state: { ...showing(state, at, ground), search: { text, at } }, effect: undefined };
}

const NOT_FOUND = "Nothing here contains that text.";

function contentOf(state: ScreenState, ground: KeyGround) {
  const { tail } = ground;
  if (state.pages.length > 0) return searchedPage(state, ground)?.content;
  if (state.mode !== "tail") return focusedPane(state, ground)?.section;
  return tail?.role === state.role ? { first: tail.first, rows: tail.lines } : undefined;
}

function firstVisible(state: ScreenState, ground: KeyGround): number | undefined {
  const { tail, room } = ground;
  if (state.pages.length > 0) return searchedPage(state, ground)?.top;
  if (state.mode === "tail") {
    return tail && room && tailBegin(tail, state.place, room).line;
  }
  const pane = focusedPane(state, ground);
  if (pane === undefined) return undefined;
  const { section } = pane;
  return section.first + topOfPane(section, state.places[section.name], pane.room);
}

/** Rows above a match that stay in sight. */
const CONTEXT_ROWS = 2;

/** The screen with a row in sight; it does not move if the row already is. */
function showing(state: ScreenState, at: number, ground: KeyGround): ScreenState {
  if (state.pages.length > 0) return showOnPage(state, at, ground);
  if (state.mode === "tail") return { ...state, place: { line: at, part: 0 } };
  const pane = focusedPane(state, ground);
  const top = firstVisible(state, ground);
  if (pane === undefined || top === undefined) return state;
  const isInSight = at >= top && at < top + pane.room;
  const place = isInSight ? top : Math.max(pane.section.first, at - CONTEXT_ROWS);
  return { ...state, places: { ...state.places, [pane.section.name]: place } };
}
