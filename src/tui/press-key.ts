import { ROLES, type Role } from "../base/role.ts";
import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE, type EditedLine } from "./line-editor.ts";
import type { QuestionFacts } from "./screen-facts.ts";

/** What the person at the screen is asked. */
export type Prompt =
  | { readonly kind: "kill" }
  | { readonly kind: "answer"; readonly question: string; readonly line: EditedLine };

/** What the person at the screen chose to see. */
export interface ScreenState {
  readonly mode: "summary" | "tail";
  /** Whose output the tail shows, and to whose engine `a` attaches. */
  readonly role: Role;
  readonly isHelpOpen: boolean;
  readonly prompt: Prompt | undefined;
}

export const FIRST_STATE: ScreenState = {
  mode: "summary",
  role: "builder",
  isHelpOpen: false,
  prompt: undefined,
};

/** What a key asks for beyond the screen. */
export type ScreenEffect =
  /** As Ctrl-C does. */
  | { readonly kind: "interrupt" }
  /** Leaves the screen, and the session running. */
  | { readonly kind: "background" }
  | { readonly kind: "attach"; readonly role: Role }
  | { readonly kind: "answer"; readonly question: string; readonly text: string };

export interface Pressed {
  readonly state: ScreenState;
  readonly effect: ScreenEffect | undefined;
}

/**
 * The screen after a key, and what it asks for: pure.
 *
 * ```
 *   summary ──t──► tail        d, t: back        1-4, left, right: whose tail
 *      │ k ► "stop it?" y            enter ► answer a question ► enter
 *      └ ? ► help (any key closes)   esc closes what is open, else leaves
 * ```
 */
export function pressKey(
  state: ScreenState,
  key: Key,
  questions: readonly QuestionFacts[],
): Pressed {
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  if (state.isHelpOpen) return changed(state, { isHelpOpen: false });
  const { prompt } = state;
  if (prompt?.kind === "kill") return confirmKill(state, key);
  if (prompt !== undefined) return writeAnswer(state, prompt, { key, questions });
  return key.kind === "text"
    ? pressLetters(state, key.text)
    : pressControl(state, key.kind, questions);
}

/** Closes the prompt for a question that was answered elsewhere. */
export function withQuestions(
  state: ScreenState,
  questions: readonly QuestionFacts[],
): ScreenState {
  const { prompt } = state;
  if (prompt?.kind !== "answer") return state;
  return questions.some(({ id }) => id === prompt.question)
    ? state
    : { ...state, prompt: undefined };
}

function changed(state: ScreenState, change: Partial<ScreenState>): Pressed {
  return { state: { ...state, ...change }, effect: undefined };
}

function confirmKill(state: ScreenState, key: Key): Pressed {
  const isSure = key.kind === "text" && key.text.toLowerCase() === "y";
  const closed = { ...state, prompt: undefined };
  return { state: closed, effect: isSure ? { kind: "interrupt" } : undefined };
}

type AnswerPrompt = Extract<Prompt, { readonly kind: "answer" }>;

function writeAnswer(
  state: ScreenState,
  prompt: AnswerPrompt,
  { key, questions }: { readonly key: Key; readonly questions: readonly QuestionFacts[] },
): Pressed {
  const { question, line } = prompt;
  switch (key.kind) {
    case "escape":
      return changed(state, { prompt: undefined });
    case "enter": {
      const text = line.text.trim();
      if (text === "") return changed(state, {});
      const closed = { ...state, prompt: undefined };
      return { state: closed, effect: { kind: "answer", question, text } };
    }
    case "tab": {
      const at = questions.findIndex(({ id }) => id === question);
      const next = questions[(at + 1) % questions.length];
      // What was begun is not said to somebody else by mistake.
      if (next === undefined || line.text !== "") return changed(state, {});
      return changed(state, { prompt: { ...prompt, question: next.id } });
    }
    default:
      return changed(state, { prompt: { ...prompt, line: editLine(line, key) } });
  }
}

/** Letters that came at once count one after the other, up to the first that asks for something. */
function pressLetters(state: ScreenState, text: string): Pressed {
  let pressed: Pressed = { state, effect: undefined };
  for (const letter of text) {
    pressed = pressLetter(pressed.state, letter);
    const { isHelpOpen, prompt } = pressed.state;
    if (pressed.effect !== undefined || isHelpOpen || prompt !== undefined) return pressed;
  }
  return pressed;
}

function pressLetter(state: ScreenState, letter: string): Pressed {
  switch (letter) {
    case "t":
      return changed(state, { mode: state.mode === "tail" ? "summary" : "tail" });
    case "d":
      return changed(state, { mode: "summary" });
    case "a":
      return { state, effect: { kind: "attach", role: state.role } };
    case "k":
      return changed(state, { prompt: { kind: "kill" } });
    case "?":
      return changed(state, { isHelpOpen: true });
    default: {
      const role = ROLES[Number(letter) - 1];
      return changed(state, state.mode === "tail" && role !== undefined ? { role } : {});
    }
  }
}

function pressControl(
  state: ScreenState,
  kind: Key["kind"],
  questions: readonly QuestionFacts[],
): Pressed {
  switch (kind) {
    case "escape":
      return { state, effect: { kind: "background" } };
    case "enter": {
      const [first] = questions;
      if (first === undefined) return changed(state, {});
      return changed(state, { prompt: { kind: "answer", question: first.id, line: EMPTY_LINE } });
    }
    case "left":
    case "right":
      return changed(state, state.mode === "tail" ? { role: beside(state.role, kind) } : {});
    default:
      return changed(state, {});
  }
}

function beside(role: Role, side: "left" | "right"): Role {
  const at = ROLES.indexOf(role) + (side === "left" ? ROLES.length - 1 : 1);
  return ROLES[at % ROLES.length] ?? role;
}
