import type { Page, PageAct, PageFacts } from "../../views/screen/page-facts.ts";
import { isSamePage } from "../../views/screen/page-facts.ts";
import { EMPTY_LINE } from "../line-editor.ts";
import type { PaneMove } from "../panes/pane-window.ts";
import {
  changed,
  FIRST_STATE,
  type KeyGround,
  type Pressed,
  type ScreenState,
} from "../screen-state.ts";
import { moveTail, tailBegin } from "../tail-place.ts";
import { chosenAt, factsOf, itemOf, openedPage, topOfList, type OpenPage } from "./open-page.ts";

/** The pages that a letter opens from everywhere. */
const LETTER_PAGES: Partial<Readonly<Record<string, Page>>> = {
  f: { kind: "findings" },
  c: { kind: "commits" },
  p: { kind: "plan" },
  s: { kind: "sessions" },
};

/** A page that is shown, with its facts; without facts while they are being read. */
interface Shown {
  readonly open: OpenPage;
  readonly facts: PageFacts | undefined;
}

/** The page that is shown; undefined if none is. */
function shownPage({ pages }: ScreenState, { page }: KeyGround): Shown | undefined {
  const open = pages.at(-1);
  return open && { open, facts: factsOf(open, page) };
}

/**
 * Opens the page of a letter, or closes it if it is shown; or does what the letter means on a page. Undefined if it has
 * no meaning.
 */
export function pressPageLetter(
  state: ScreenState,
  letter: string,
  ground: KeyGround,
): Pressed | undefined {
  const page = LETTER_PAGES[letter];
  const shown = shownPage(state, ground);
  if (page !== undefined) {
    const isShown = shown !== undefined && isSamePage(shown.open.page, page);
    return changed(state, { pages: isShown ? [] : [openedPage(page)], search: undefined });
  }
  if (shown === undefined) return undefined;
  const act = LETTER_ACTS[letter];
  return act && beginAct(state, shown, { act, isReadOnly: ground.isReadOnly });
}

/** What letters do with the item of a page. In the summary, some of them mean something else. */
const LETTER_ACTS: Partial<Readonly<Record<string, Exclude<PageAct, "open">>>> = {
  a: "approve",
  d: "dismiss",
  r: "reject",
};

function beginAct(
  state: ScreenState,
  shown: Shown,
  { act, isReadOnly }: Pick<KeyGround, "isReadOnly"> & { readonly act: Exclude<PageAct, "open"> },
): Pressed {
  if (isReadOnly === true) return readOnly(state);
  const id = itemWith(shown, act);
  if (id === undefined) return changed(state, { remark: `There is nothing here to ${act}.` });
  return changed(state, {
    prompt:
      act === "approve"
        ? { kind: "sure", effect: { kind: act, plan: id } }
        : { kind: "reason", act, id, line: EMPTY_LINE },
  });
}

function itemWith({ open, facts }: Shown, act: PageAct): string | undefined {
  const item = facts && itemOf(open, facts);
  return item?.acts.includes(act) === true ? item.id : undefined;
}

/** Opens the chosen item. */
export function openChosen(state: ScreenState, ground: KeyGround): Pressed {
  const shown = shownPage(state, ground);
  const id = shown && itemWith(shown, "open");
  if (shown === undefined || id === undefined) return changed(state, {});
  if (shown.open.page.kind === "sessions") return follow(state, id);
  const opened = pageOfItem(shown, id);
  if (opened === undefined) return changed(state, {});
  return changed(state, { pages: [...state.pages, openedPage(opened)], search: undefined });
}

/** The other session is shown from its summary; what was chosen in this one has no meaning there. */
function follow(state: ScreenState, session: string): Pressed {
  const { state: summary } = changed(state, { ...FIRST_STATE });
  return { state: summary, effect: { kind: "follow", session } };
}

/** Says that keys decide nothing here. */
export function readOnly(state: ScreenState): Pressed {
  return changed(state, { remark: READ_ONLY });
}

const READ_ONLY =
  "This session is shown read-only. To act on it: wisp up, in a terminal of its own.";

function pageOfItem({ open }: Shown, id: string): Page | undefined {
  switch (open.page.kind) {
    case "findings":
      return { kind: "finding", id };
    case "commits":
      return { kind: "commit", id };
    default:
      return undefined;
  }
}

/** Goes back to what was shown before the page. */
export function closePage(state: ScreenState): Pressed {
  return changed(state, { pages: state.pages.slice(0, -1), search: undefined });
}

/** Scrolls the text of a page, or chooses another row of its list. */
export function scrollPage(state: ScreenState, ground: KeyGround, move: PaneMove): Pressed {
  const shown = shownPage(state, ground);
  const room = ground.pageRoom;
  if (shown?.facts === undefined || room === undefined) return changed(state, {});
  const { open, facts } = shown;
  if (facts.kind === "text") {
    const text = { first: 0, lines: facts.lines };
    if (facts.lines.length === 0 || room.rows < 1) return changed(state, {});
    return changed(state, withOpen(state, { place: moveTail(text, open.place, { move, room }) }));
  }
  const last = facts.items.length - 1;
  const at = chosenAt(open, facts.items);
  const to = move === "begin" ? 0 : move === "end" ? last : at + move.rows;
  return changed(state, choosing(state, ground, Math.max(0, Math.min(to, last))));
}

function withOpen(state: ScreenState, change: Partial<OpenPage>): Partial<ScreenState> {
  const { pages } = state;
  return { pages: pages.map((one, at) => (at === pages.length - 1 ? { ...one, ...change } : one)) };
}

function choosing(state: ScreenState, ground: KeyGround, to: number): Partial<ScreenState> {
  const shown = shownPage(state, ground);
  if (shown?.facts?.kind !== "list") return {};
  const { open, facts } = shown;
  const of = facts.items.length;
  const top = topOfList(open, { at: to, of, room: ground.pageRoom?.rows ?? of });
  return withOpen(state, { chosen: facts.items[to]?.id, top });
}

/** What a search on a page looks through, and the row after which it begins. */
export function searchedPage(state: ScreenState, ground: KeyGround) {
  const shown = shownPage(state, ground);
  if (shown?.facts === undefined) return undefined;
  const { open, facts } = shown;
  if (facts.kind === "list") {
    return { content: { first: 0, rows: facts.rows }, top: chosenAt(open, facts.items) };
  }
  const text = { first: 0, lines: facts.lines };
  const room = ground.pageRoom;
  const top = room === undefined ? 0 : tailBegin(text, open.place, room).line;
  return { content: { first: 0, rows: facts.lines }, top };
}

/** The screen with a row of the page in sight; of a list it is chosen. */
export function showOnPage(state: ScreenState, at: number, ground: KeyGround): ScreenState {
  const isList = shownPage(state, ground)?.facts?.kind === "list";
  const change = isList
    ? choosing(state, ground, at)
    : withOpen(state, { place: { line: at, part: 0 } });
  return { ...state, ...change };
}
