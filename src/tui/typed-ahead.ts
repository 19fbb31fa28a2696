import { TYPED_AHEAD_CHARS_MAX } from "../base/limits.ts";
import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE, fittingKey } from "./line-editor.ts";
import type { Pressed, ScreenState } from "./screen-state.ts";
import type { QuestionFacts } from "../views/screen/screen-facts.ts";

const NOT_TAKEN = "What you typed before the session was read was ignored.";
const KEPT = "What you typed before the session was read is in the line: enter sends it.";
const KEPT_IN_PART =
  "What you typed before the session was read is in the line, cut to the length of an answer: check its end, then press enter.";

/**
 * Handles a key before the session has been read. The person cannot see yet what the key would do, so it does nothing
 * but Ctrl-C. Text is kept for a question that may be open, up to the length limit of an answer.
 */
export function typeAhead(state: ScreenState, key: Key): Pressed {
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  const line = state.ahead ?? EMPTY_LINE;
  const meant = fittingKey(line, keptAsLine(key, line.text === ""), TYPED_AHEAD_CHARS_MAX);
  return { state: { ...state, ahead: editLine(line, meant) }, effect: undefined };
}

/** Enter begins a new line of the kept text. A terminal that is not in raw mode yet sends a line feed for it. */
function keptAsLine(key: Key, isFirst: boolean): Key {
  if (key.kind !== "enter" && key.kind !== "new-line") return key;
  return isFirst ? { kind: "text", text: "" } : { kind: "new-line" };
}

/** The screen once the session has been read: the typed text goes to the first question, or is dropped. */
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
