import { ROLES } from "../base/role.ts";
import type { Prompt, ScreenState } from "./press-key.ts";
import type { QuestionFacts, ScreenFacts } from "./screen-facts.ts";
import { clipRow, row, span, takeCells, widthOf, wrapText, type Row } from "./styled-row.ts";
import { summaryRows } from "./summary-rows.ts";

/** Of a terminal, in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The whole screen: a pure function of what is known, what the person chose, and how large it is. It has
 * never more rows than fit, and no row is wider than the screen.
 */
export function screenRows(
  facts: ScreenFacts | undefined,
  state: ScreenState,
  { columns, rows }: ScreenSize,
): readonly Row[] {
  if (rows < 1) return [];
  if (facts === undefined) return [clipRow(row(span("faint", "Reading the session…")), columns)];
  const bottom = bottomRows(facts, state, columns);
  // A screen of three rows still shows what is asked.
  const pinned = bottom.slice(Math.max(0, bottom.length - rows));
  const left = rows - pinned.length;
  const body = bodyRows(facts, state, { columns, rows: left }).slice(0, left);
  const filler = Array.from({ length: left - body.length }, () => row(""));
  return [...body, ...filler, ...pinned].map((one) => clipRow(one, columns));
}

function bodyRows(facts: ScreenFacts, state: ScreenState, size: ScreenSize): readonly Row[] {
  if (state.isHelpOpen) return HELP;
  return state.mode === "tail" ? tailRows(facts, state, size) : summaryRows(facts, size.rows);
}

function tailRows(
  { session, tail }: ScreenFacts,
  { role }: ScreenState,
  { columns, rows }: ScreenSize,
): readonly Row[] {
  const names = ROLES.map((one, index) =>
    span(one === role ? "strong" : "faint", ` ${index + 1} ${one === role ? `[${one}]` : one}`),
  );
  const head = row(span("strong", session), " ", ...names);
  const lines = tail?.role === role ? tail.lines : [];
  if (lines.length === 0) return [head, row(""), row(span("faint", "No turn of it yet."))];
  const room = Math.max(rows - 2, 0);
  // Only what may be seen is broken into rows.
  const wrapped = lines
    .slice(-Math.max(room, 1))
    .flatMap(({ style, text }) => wrapText(text, columns).map((part) => row(span(style, part))));
  return [head, row(""), ...wrapped.slice(Math.max(0, wrapped.length - room))];
}

const QUESTION_ROWS_MAX = 6;

function bottomRows(facts: ScreenFacts, state: ScreenState, columns: number): readonly Row[] {
  const { said } = facts;
  return [
    ...questionRows(facts, state, columns),
    ...(said === undefined ? [] : [row(span(said.style, said.text))]),
    ...promptRows(state.prompt, columns),
    row(span("faint", footer(facts, state))),
  ];
}

/** The question that is being answered, else the first. */
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
  return wrapText(text, columns)
    .slice(0, QUESTION_ROWS_MAX)
    .map((part) => row(span("ask", part)));
}

function questionWords({ role, id, ask }: QuestionFacts): string {
  return `The ${role} asks (${id}): ${ask}`;
}

function promptRows(prompt: Prompt | undefined, columns: number): readonly Row[] {
  if (prompt === undefined) return [];
  if (prompt.kind === "kill")
    return [row(span("ask", "Stop the session? Its engines are interrupted. (y/n) "))];
  return [answerRow(prompt.line, columns)];
}

const ANSWER = "> ";

/** The part of the line around the cursor, which stands at its end where the line is too long. */
function answerRow({ text, cursor }: { text: string; cursor: number }, columns: number): Row {
  const room = Math.max(columns - ANSWER.length - 1, 1);
  let before = text.slice(0, cursor);
  while (widthOf(before) > room - 1) before = before.replace(/^./su, "");
  const [at = " "] = text.slice(cursor);
  const after = text.slice(cursor + (text.length > cursor ? at.length : 0));
  const rest = takeCells(after, room - widthOf(before) - widthOf(at));
  return row(span("strong", ANSWER), before, span("cursor", at), rest);
}

function footer({ questions }: ScreenFacts, { mode, prompt, isHelpOpen }: ScreenState): string {
  if (isHelpOpen) return "any key closes this";
  if (prompt?.kind === "kill") return "y stop it  any other key: go on";
  if (prompt?.kind === "answer") {
    return `enter send  esc not now${questions.length > 1 ? "  tab another question" : ""}`;
  }
  const answer = questions.length > 0 ? "enter answer  " : "";
  return mode === "tail"
    ? `${answer}t,d summary  1-4 role  a attach  k stop  esc leave it running  ? help`
    : `${answer}t tail  a attach  k stop  esc leave it running  ? help`;
}

const HELP: readonly Row[] = [
  row(span("strong", "Keys")),
  row(""),
  row("  t      shows what an engine says, or the summary again"),
  row("  1-4    in that view: whose engine; also left and right"),
  row("  d      back to the summary"),
  row("  a      attaches you to the engine of that role (at first the builder's)"),
  row("  enter  answers a question"),
  row("  k      stops the session, after a question; Ctrl-C does without one"),
  row("  esc    leaves; the session goes on in the background"),
  row(""),
  row(span("faint", "Ctrl-C again stops at once. To come back: wisp up")),
];
