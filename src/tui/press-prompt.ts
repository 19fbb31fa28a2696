import type { Key } from "./key.ts";
import { TYPED_AHEAD_CHARS_MAX } from "../base/limits.ts";
import { editLine, EMPTY_LINE, fittingKey } from "./line-editor.ts";
import { writeReason } from "./pages/page-prompt.ts";
import { beginSearch } from "./press-scroll.ts";
import {
  changed,
  type KeyGround,
  type Pressed,
  type Prompt,
  type ScreenEffect,
  type ScreenState,
} from "./screen-state.ts";
import type { QuestionFacts } from "../views/screen/screen-facts.ts";

/** A key while the screen asks the person something. */
export function pressInPrompt(
  state: ScreenState,
  prompt: Prompt,
  { key, ground }: { readonly key: Key; readonly ground: KeyGround },
): Pressed {
  switch (prompt.kind) {
    case "stop":
      return confirm(state, key, { kind: "interrupt" });
    case "attach":
      return confirm(state, key, prompt);
    case "search":
      return writeSearch(state, prompt, { key, ground });
    case "reason":
      return writeReason(state, prompt, key);
    case "sure":
      return confirm(state, key, prompt.effect);
    case "answered": {
      const isSeen = key.kind === "enter" || key.kind === "escape";
      return changed(state, isSeen ? { prompt: undefined } : {});
    }
    case "answer":
      return writeAnswer(state, prompt, { key, ground });
  }
}

/**
 * The meaning of a key that arrived together with the next one. A terminal that does not mark pasted text sends its line
 * breaks as Enter; they must not send the first line as the answer and press the rest as keys.
 */
export function keyBefore(
  key: Key,
  next: Key | undefined,
  { prompt }: Pick<ScreenState, "prompt">,
): Key {
  const isMeantAsText = next !== undefined && LINE_KEYS.has(next.kind);
  const isLineBreak = key.kind === "enter" && prompt?.kind === "answer" && isMeantAsText;
  return isLineBreak ? { kind: "new-line" } : key;
}

const LINE_KEYS: ReadonlySet<Key["kind"]> = new Set(["text", "enter", "new-line"]);

/** Closes the prompt for a question that was answered elsewhere, or says so if the person has started typing. */
export function withQuestions(
  state: ScreenState,
  questions: readonly QuestionFacts[],
): ScreenState {
  const { prompt } = state;
  if (prompt?.kind !== "answer") return state;
  const { question, line } = prompt;
  if (questions.some(({ id }) => id === question)) return state;
  const isWriting = line.text !== "";
  return { ...state, prompt: isWriting ? { kind: "answered", question } : undefined };
}

function confirm(state: ScreenState, key: Key, effect: ScreenEffect): Pressed {
  const isSure = key.kind === "text" && key.text.toLowerCase() === "y";
  return { state: { ...state, prompt: undefined }, effect: isSure ? effect : undefined };
}

type PromptOf<K extends Prompt["kind"]> = Extract<Prompt, { readonly kind: K }>;

function writeSearch(
  state: ScreenState,
  { line }: PromptOf<"search">,
  { key, ground }: { readonly key: Key; readonly ground: KeyGround },
): Pressed {
  const closed = { ...state, prompt: undefined };
  switch (key.kind) {
    case "escape":
      return changed(closed, { search: undefined });
    case "enter":
      return beginSearch(closed, line.text, ground);
    case "new-line":
    case "up":
    case "down":
      return changed(state, {});
    default: {
      const typed = key.kind === "paste" ? onOneLine(key.text) : key;
      return changed(state, { prompt: { kind: "search", line: editLine(line, typed) } });
    }
  }
}

function onOneLine(pasted: string): Key {
  return { kind: "text", text: pasted.replace(/\s+/gu, " ") };
}

const FULL = `An answer has at most ${String(TYPED_AHEAD_CHARS_MAX)} characters; the rest was not taken.`;

/** The line for an answer, with what was typed for it before. */
export function answerPrompt(
  { draft }: Pick<ScreenState, "draft">,
  question: string,
): PromptOf<"answer"> {
  return { kind: "answer", question, line: draft?.question === question ? draft.line : EMPTY_LINE };
}

const KEPT = "Your text is kept: enter brings it back.";
const UNREAD = "This question has just appeared: press enter again to send your answer to it.";

function writeAnswer(
  state: ScreenState,
  prompt: PromptOf<"answer">,
  { key, ground }: { readonly key: Key; readonly ground: KeyGround },
): Pressed {
  const { question, line } = prompt;
  switch (key.kind) {
    case "escape": {
      const draft = line.text.trim() === "" ? undefined : { question, line };
      const remark = draft === undefined ? undefined : KEPT;
      return changed(state, { prompt: undefined, draft, remark });
    }
    case "enter": {
      const text = line.text.trim();
      if (text === "") return changed(state, {});
      if (ground.unread === question) return changed(state, { remark: UNREAD });
      const closed = { ...state, prompt: undefined, draft: undefined };
      return { state: closed, effect: { kind: "answer", question, text } };
    }
    case "tab": {
      const { questions } = ground;
      const at = questions.findIndex(({ id }) => id === question);
      const next = questions[(at + 1) % questions.length];
      // A started answer must not go to another question by mistake.
      if (next === undefined || line.text !== "") return changed(state, {});
      return changed(state, { prompt: answerPrompt(state, next.id) });
    }
    default: {
      const fitting = fittingKey(line, key, TYPED_AHEAD_CHARS_MAX);
      const isCut = "text" in key && "text" in fitting && fitting.text.length < key.text.length;
      const remark = isCut ? FULL : undefined;
      return changed(state, { remark, prompt: { ...prompt, line: editLine(line, fitting) } });
    }
  }
}
