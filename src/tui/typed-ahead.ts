import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE } from "./line-editor.ts";
import type { Pressed, ScreenState } from "./press-key.ts";
import type { QuestionFacts } from "./screen-facts.ts";

const NOT_TAKEN = "What was typed before the session was read did nothing.";
const KEPT = "What was typed before the session was read stands in the line: enter sends it.";

/**
 * A key before the session was read: nobody can mean what stands on the screen, so it is no key. Text is
 * kept for a question that may be open; only Ctrl-C does what it always does.
 */
export function typeAhead(state: ScreenState, key: Key): Pressed {
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  const ahead = editLine(state.ahead ?? EMPTY_LINE, key);
  return { state: { ...state, ahead }, effect: undefined };
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
    remark: KEPT,
    prompt: { kind: "answer", question: question.id, line: ahead },
  };
}
