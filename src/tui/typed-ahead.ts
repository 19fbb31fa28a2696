import { TYPED_AHEAD_CHARS_MAX } from "../base/limits.ts";
import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE, type EditedLine } from "./line-editor.ts";
import type { Pressed, ScreenState } from "./press-key.ts";
import type { QuestionFacts } from "../views/screen/screen-facts.ts";

const NOT_TAKEN = "What was typed before the session was read did nothing.";
const KEPT = "What was typed before the session was read stands in the line: enter sends it.";
const KEPT_IN_PART =
  "Of what was typed before the session was read the line holds as much as an answer may: see to its end, then enter.";

/**
 * A key before the session was read: nobody can mean what stands on the screen, so it is no key. Text is
 * kept for a question that may be open, as far as an answer may be long; only Ctrl-C does what it always does.
 */
export function typeAhead(state: ScreenState, key: Key): Pressed {
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  const line = state.ahead ?? EMPTY_LINE;
  const ahead = editLine(line, key.kind === "text" ? fitting(line, key.text) : key);
  return { state: { ...state, ahead }, effect: undefined };
}

/** As much of a text as there is room for behind what is typed already: whole characters. */
function fitting(line: EditedLine, typed: string): Key {
  const room = TYPED_AHEAD_CHARS_MAX - line.text.length;
  const text = typed.slice(0, room).replace(/[\ud800-\udbff]$/, "");
  return { kind: "text", text };
}

/** The screen when the session has been read: what was typed is in the line of the first question, or gone. */
export function takeTypedAhead(
  state: ScreenState,
  questions: readonly QuestionFacts[],
): ScreenState {
  const { ahead, prompt } = state;
  if (ahead === undefined) return state;
  const read = { ...state, ahead: undefined, remark: NOT_TAKEN };
  const [question] = questions;
  if (question === undefined || prompt !== undefined || ahead.text.trim() === "") return read;
  return {
    ...read,
    remark: ahead.text.length < TYPED_AHEAD_CHARS_MAX - 1 ? KEPT : KEPT_IN_PART,
    prompt: { kind: "answer", question: question.id, line: ahead },
  };
}
