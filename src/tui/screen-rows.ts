import { ROLES } from "../base/role.ts";
import { bottomRows } from "./bottom-rows.ts";
import type { ScreenFacts } from "../views/screen/screen-facts.ts";
import { clipRow } from "../views/rows/cells.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import { fittedSummary } from "./fitted-summary.ts";
import { HELP } from "./key-hints.ts";
import { pageRoom, pageRows } from "./pages/page-rows.ts";
import { layoutPanes } from "./panes/pane-layout.ts";
import { paneRows } from "./panes/pane-rows.ts";
import type { ScreenSize } from "./screen-size.ts";
import type { KeyGround, PaneGround, ScreenState } from "./screen-state.ts";
import { markMatches } from "./search-text.ts";
import { tailRowsFrom } from "./tail-place.ts";

/**
 * The whole screen, as a pure function of the facts, the person's choices and the screen size. It never has more rows
 * than fit, and no row is wider than the screen.
 */
export function screenRows(
  facts: ScreenFacts | undefined,
  state: ScreenState,
  size: ScreenSize,
): readonly Row[] {
  const { columns, rows } = size;
  if (rows < 1) return [];
  if (facts === undefined) return readingRows(state).map((one) => clipRow(one, columns));
  const bottom = bottomRows(facts, state, size);
  // Even a screen of three rows shows the question.
  const pinned = bottom.slice(Math.max(0, bottom.length - rows));
  const left = rows - pinned.length;
  const body = bodyRows(facts, state, { columns, rows: left }).slice(0, left);
  const filler = Array.from({ length: left - body.length }, () => row(""));
  return [...body, ...filler, ...pinned].map((one) => clipRow(one, columns));
}

/** What keys can refer to on a screen of this size. */
export function keyGround(facts: ScreenFacts, state: ScreenState, size: ScreenSize): KeyGround {
  const { questions, tail, atWork, page, isReadOnly } = facts;
  const { columns } = size;
  const rows = size.rows - bottomRows(facts, state, size).length;
  const layout = layoutPanes(facts, { columns, rows });
  const panes = (layout?.columns ?? [])
    .flatMap((column) => column.panes)
    .flatMap((pane): readonly PaneGround[] => (pane.kind === "list" ? [pane] : []));
  const room = { columns, rows: rows - TAIL_HEAD_ROWS };
  const onPage = { page, pageRoom: pageRoom({ columns, rows }) };
  return { questions, atWork, panes, tail, room, isReadOnly, ...onPage };
}

function readingRows({ ahead }: ScreenState): readonly Row[] {
  const reading = row(span("faint", "Reading the session…"));
  return ahead === undefined ? [reading] : [reading, row(span("faint", AHEAD))];
}

const AHEAD = "Keys do nothing yet; what you type is kept as an answer if there is a question.";

function bodyRows(facts: ScreenFacts, state: ScreenState, size: ScreenSize): readonly Row[] {
  if (state.isHelpOpen) return HELP;
  const open = state.pages.at(-1);
  if (open !== undefined) return pageRows(facts, open, { search: state.search, size });
  if (state.mode === "tail") return tailRows(facts, state, size);
  return paneRows(facts, state, size) ?? fittedSummary(facts, size);
}

function tailRows(
  { session, tail }: ScreenFacts,
  { role, place, search }: ScreenState,
  { columns, rows }: ScreenSize,
): readonly Row[] {
  const names = ROLES.map((one, index) =>
    span(one === role ? "strong" : "faint", ` ${index + 1} ${one === role ? `[${one}]` : one}`),
  );
  const head = row(span("strong", session), " ", ...names);
  if (tail?.role !== role || tail.lines.length === 0) {
    return [head, row(""), row(span("faint", "This role has not had a turn yet."))];
  }
  const below = place === undefined ? row("") : row(span("ask", "-- scrolled back: G follows --"));
  const room = { columns, rows: rows - TAIL_HEAD_ROWS };
  const shown = room.rows < 1 ? [] : tailRowsFrom(tail, place, room);
  return [head, below, ...shown.map((one) => markMatches(one, search?.text ?? ""))];
}

const TAIL_HEAD_ROWS = 2;
