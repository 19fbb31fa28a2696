import { ROLES } from "../base/role.ts";
import type { Prompt, ScreenState } from "./press-key.ts";
import type { QuestionFacts, ScreenFacts } from "../views/screen/screen-facts.ts";
import { clipRow, takeCells, widthOf, wrapSpan, wrapText } from "../views/rows/cells.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import { tailRowsFrom, type TailRoom } from "./tail-place.ts";
import { fittedSummary } from "./fitted-summary.ts";

/** The size of a terminal in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The whole screen, as a pure function of the facts, the person's choices and the screen size. It never has more rows
 * than fit, and no row is wider than the screen.
 */
export function screenRows(
  facts: ScreenFacts | undefined,
  state: ScreenState,
  { columns, rows }: ScreenSize,
): readonly Row[] {
  if (rows < 1) return [];
  if (facts === undefined) return readingRows(state).map((one) => clipRow(one, columns));
  const bottom = bottomRows(facts, state, columns);
  // Even a screen of three rows shows the question.
  const pinned = bottom.slice(Math.max(0, bottom.length - rows));
  const left = rows - pinned.length;
  const body = bodyRows(facts, state, { columns, rows: left }).slice(0, left);
  const filler = Array.from({ length: left - body.length }, () => row(""));
  return [...body, ...filler, ...pinned].map((one) => clipRow(one, columns));
}

function readingRows({ ahead }: ScreenState): readonly Row[] {
  const reading = row(span("faint", "Reading the session…"));
  return ahead === undefined ? [reading] : [reading, row(span("faint", AHEAD))];
}

const AHEAD = "Keys do nothing yet; what you type is kept as an answer if there is a question.";

function bodyRows(facts: ScreenFacts, state: ScreenState, size: ScreenSize): readonly Row[] {
  if (state.isHelpOpen) return HELP;
  return state.mode === "tail" ? tailRows(facts, state, size) : fittedSummary(facts, size.rows);
}

function tailRows(
  { session, tail }: ScreenFacts,
  { role, place }: ScreenState,
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
  return [head, below, ...(room.rows < 1 ? [] : tailRowsFrom(tail, place, room))];
}

const TAIL_HEAD_ROWS = 2;

/** The room for the tail on the screen. */
export function tailRoom(
  facts: ScreenFacts,
  state: ScreenState,
  { columns, rows }: ScreenSize,
): TailRoom {
  return { columns, rows: rows - bottomRows(facts, state, columns).length - TAIL_HEAD_ROWS };
}

const QUESTION_ROWS_MAX = 10;
const SAID_ROWS_MAX = 6;

function bottomRows(facts: ScreenFacts, state: ScreenState, columns: number): readonly Row[] {
  const { said } = facts;
  return [
    ...questionRows(facts, state, columns),
    ...said.flatMap((words) => wrapSpan(words, columns)).slice(0, SAID_ROWS_MAX),
    ...(state.remark === undefined ? [] : [row(span("ask", state.remark))]),
    ...promptRows(state.prompt, columns),
    row(span("faint", fitHints(hints(facts, state), columns))),
  ];
}

/** The question that is being answered, or else the first one. */
function questionRows(
  { questions }: ScreenFacts,
  { prompt }: ScreenState,
  columns: number,
): readonly Row[] {
  const asked = prompt?.kind === "answer" ? prompt.question : questions[0]?.id;
  const question = questions.find(({ id }) => id === asked);
  if (question === undefined) return [];
  const more = questions.length > 1 ? ` (${questions.length} questions)` : "";
  const text = `${questionWords(question)}${more}`;
  const parts = wrapText(text, columns);
  const shown =
    parts.length > QUESTION_ROWS_MAX
      ? [...parts.slice(0, QUESTION_ROWS_MAX - 1), "… full text: wisp status"]
      : parts;
  return shown.map((part) => row(span("ask", part)));
}

function questionWords({ role, id, ask }: QuestionFacts): string {
  return `The ${role} asks (${id}): ${ask}`;
}

function promptRows(prompt: Prompt | undefined, columns: number): readonly Row[] {
  if (prompt === undefined) return [];
  switch (prompt.kind) {
    case "kill":
      return [row(span("ask", "Stop the session? Its engines are interrupted. (y/n) "))];
    case "attach":
      return [row(span("ask", `Attach to the ${prompt.role}? Its turn is interrupted. (y/n) `))];
    case "answered": {
      const text = `${prompt.question} was answered elsewhere. Your text was not sent.`;
      return [row(span("ask", text))];
    }
    case "answer":
      return [answerRow(prompt.line, columns)];
  }
}

const ANSWER = "> ";

/** The part of the line around the cursor. If the line is too long, the cursor is at the right edge. */
function answerRow({ text, cursor }: { text: string; cursor: number }, columns: number): Row {
  const room = Math.max(columns - ANSWER.length - 1, 1);
  let before = text.slice(0, cursor);
  while (widthOf(before) > room - 1) before = before.replace(/^./su, "");
  const [at = " "] = text.slice(cursor);
  const after = text.slice(cursor + (text.length > cursor ? at.length : 0));
  const rest = takeCells(after, room - widthOf(before) - widthOf(at));
  return row(span("strong", ANSWER), before, span("cursor", at), rest);
}

/** What a key does. If not all hints fit, those with the lowest ranks are shown. */
type Hint = readonly [rank: number, text: string];

function hints(
  { questions }: ScreenFacts,
  { mode, prompt, isHelpOpen }: ScreenState,
): readonly Hint[] {
  if (isHelpOpen) return [[0, "any key closes this"]];
  if (prompt !== undefined) return promptHints(prompt, questions);
  return [
    ...(questions.length > 0 ? [[0, "enter answer"] as const] : []),
    ...(mode === "tail" ? TAIL_HINTS : ([[4, "t tail"]] as const)),
    [7, "a attach"],
    [3, "k stop"],
    [2, mode === "tail" ? "esc leave" : "esc leave it running"],
    [1, "? help"],
  ];
}

function promptHints(prompt: Prompt, questions: readonly QuestionFacts[]): readonly Hint[] {
  switch (prompt.kind) {
    case "kill":
      return sureHints("y stop it");
    case "attach":
      return sureHints("y interrupt it");
    case "answered":
      return [[0, "enter or esc closes this"]];
    case "answer": {
      const more: readonly Hint[] = questions.length > 1 ? [[2, "tab another question"]] : [];
      return [[0, "enter send"], [1, "esc not now"], ...more];
    }
  }
}

function sureHints(sure: string): readonly Hint[] {
  return [
    [0, sure],
    [1, "any other key: cancel"],
  ];
}

const TAIL_HINTS: readonly Hint[] = [
  [4, "t,d summary"],
  [6, `1-${String(ROLES.length)} role`],
  [5, "up,down scroll"],
];

/** As many hints as fit, in their order. */
function fitHints(all: readonly Hint[], columns: number): string {
  const line = (most: number) =>
    all
      .filter(([rank]) => rank <= most)
      .map(([, text]) => text)
      .join("  ");
  const ranks = all.map(([rank]) => rank).sort((one, other) => other - one);
  const most = ranks.find((rank) => line(rank).length <= columns) ?? ranks.at(-1) ?? 0;
  return line(most);
}

// Short enough for the smallest terminal in practical use.
const HELP: readonly Row[] = [
  row(span("strong", "Keys")),
  row("  t        engine output, or back"),
  row(`  1-${String(ROLES.length)}      whose output; also left, right`),
  row("  up down  scroll it; pages: b, space"),
  row("  g G      go to start; follow end"),
  row("  d        back to the summary"),
  row("  a        attach; asks during a turn"),
  row("  enter    answer a question"),
  row("  k        stop it, after asking"),
  row("  esc      leave it running"),
  row(""),
  row("  Ctrl-C stops without asking; twice stops at once. To come back: wisp up"),
  row("  a attaches to the builder's engine, or to the one that t shows."),
];
