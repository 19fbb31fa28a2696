import type { QuestionFacts, ScreenFacts } from "../views/screen/screen-facts.ts";
import { takeCells, widthOf, wrapSpan, wrapText } from "../views/rows/cells.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import { hintsRow } from "./key-hints.ts";
import { answerRows } from "./answer-rows.ts";
import type { EditedLine } from "./line-editor.ts";
import { FRAME_CELLS, hasFrames } from "./panes/pane-layout.ts";
import { reasonRows, sureRows } from "./pages/page-prompt.ts";
import { framedRows } from "./panes/pane-rows.ts";
import type { ScreenSize } from "./screen-size.ts";
import type { Prompt, ScreenState } from "./screen-state.ts";

const QUESTION_ROWS_MAX = 10;
const SAID_ROWS_MAX = 6;
const ANSWER_ROWS_MAX = 6;
/** The part of the screen's rows that an answer may take. */
const ANSWER_SHARE = 4;

/** What is always visible at the bottom of the screen: a question, the result of the last key, a prompt, the keys. */
export function bottomRows(
  facts: ScreenFacts,
  state: ScreenState,
  size: ScreenSize,
): readonly Row[] {
  const { columns } = size;
  return [
    ...questionRows(facts, state, size),
    ...facts.said.flatMap((words) => wrapSpan(words, columns)).slice(0, SAID_ROWS_MAX),
    ...(state.remark === undefined ? [] : [row(span("ask", state.remark))]),
    ...promptRows(state.prompt, columns),
    hintsRow(facts, state, columns),
  ];
}

/** The question that is on the screen: the one that is being answered, or else the first one. */
export function shownQuestion(
  questions: readonly QuestionFacts[],
  prompt: Prompt | undefined,
): string | undefined {
  return prompt?.kind === "answer" ? prompt.question : questions[0]?.id;
}

/** That question has a look of its own, unlike any warning. */
function questionRows(
  { questions }: ScreenFacts,
  { prompt }: ScreenState,
  size: ScreenSize,
): readonly Row[] {
  const asked = shownQuestion(questions, prompt);
  const at = questions.findIndex(({ id }) => id === asked);
  const question = questions[at];
  if (question === undefined) return [];
  const isFramed = hasFrames(size);
  const columns = isFramed ? size.columns - FRAME_CELLS : size.columns;
  const rows = Math.max(1, Math.min(ANSWER_ROWS_MAX, Math.floor(size.rows / ANSWER_SHARE)));
  const answer = prompt?.kind === "answer" ? answerRows(prompt.line, { columns, rows }) : [];
  const of = questions.length;
  if (!isFramed) {
    const more = of > 1 ? ` (${String(of)} questions)` : "";
    return [...wordRows(`? ${questionWords(question)}${more}`, columns), ...answer];
  }
  const title = of > 1 ? `? Question ${String(at + 1)} of ${String(of)}` : "? Question";
  const framed = [...wordRows(questionWords(question), columns), ...answer];
  return framedRows(span("question", title), framed, size.columns);
}

function wordRows(text: string, columns: number): readonly Row[] {
  const parts = wrapText(text, columns);
  const shown =
    parts.length > QUESTION_ROWS_MAX
      ? [...parts.slice(0, QUESTION_ROWS_MAX - 1), "… full text: wisp status"]
      : parts;
  return shown.map((part) => row(span("question", part)));
}

function questionWords({ role, id, ask }: QuestionFacts): string {
  return `The ${role} asks (${id}): ${ask}`;
}

function promptRows(prompt: Prompt | undefined, columns: number): readonly Row[] {
  switch (prompt?.kind) {
    case undefined:
    case "answer":
      return [];
    case "stop":
      return [row(span("question", "? Stop the session? Its engines are interrupted. (y/n) "))];
    case "attach":
      return [
        row(span("question", `? Attach to the ${prompt.role}? Its turn is interrupted. (y/n) `)),
      ];
    case "search":
      return [editedRow("/", prompt.line, columns)];
    case "reason":
      return [...reasonRows(prompt, columns), editedRow("> ", prompt.line, columns)];
    case "sure":
      return sureRows(prompt.effect, columns);
    case "answered": {
      const text = `! ${prompt.question} was answered elsewhere. Your text was not sent.`;
      return [row(span("ask", text))];
    }
  }
}

/** The part of the line around the cursor. If the line is too long, the cursor is at the right edge. */
function editedRow(mark: string, { text, cursor }: EditedLine, columns: number): Row {
  const room = Math.max(columns - mark.length - 1, 1);
  let before = text.slice(0, cursor);
  while (widthOf(before) > room - 1) before = before.replace(/^./su, "");
  const [at = " "] = text.slice(cursor);
  const after = text.slice(cursor + (text.length > cursor ? at.length : 0));
  const rest = takeCells(after, room - widthOf(before) - widthOf(at));
  return row(span("strong", mark), before, span("cursor", at), rest);
}
