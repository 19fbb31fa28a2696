import { TYPED_AHEAD_CHARS_MAX } from "../base/limits.ts";
import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE, type EditedLine } from "./line-editor.ts";
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
  const ahead = editLine(line, key.kind === "text" ? fitting(line, key.text) : key);
  return { state: { ...state, ahead }, effect: undefined };
}

/** As many whole characters of a text as fit after what is already typed. */
function fitting(line: EditedLine, typed: string): Key {
  const room = TYPED_AHEAD_CHARS_MAX - line.text.length;
  const text = typed.slice(0, room).replace(/[\ud800-\udbff]$/, "");
  return { kind: "text", text };
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
