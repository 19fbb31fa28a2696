import { ROLES, type Role } from "../base/role.ts";
import type { Key } from "./key.ts";
import { editLine, EMPTY_LINE, type EditedLine } from "./line-editor.ts";
import type { QuestionFacts, TailFacts } from "../views/screen/screen-facts.ts";
import { moveTail, type TailMove, type TailPlace, type TailRoom } from "./tail-place.ts";

/** What the screen asks the person. */
export type Prompt =
  | { readonly kind: "kill" }
  /** This role's engine is in a turn, which attaching would interrupt. */
  | { readonly kind: "attach"; readonly role: Role }
  | { readonly kind: "answer"; readonly question: string; readonly line: EditedLine }
  /** The question was answered elsewhere while the person was typing; further typing is not treated as keys. */
  | { readonly kind: "answered"; readonly question: string };

/** What the person chose to see. */
export interface ScreenState {
  readonly mode: "summary" | "tail";
  /** The role whose output the tail shows, and whose engine `a` attaches to. */
  readonly role: Role;
  /** Where the visible part of the tail starts; undefined if the tail follows the end. */
  readonly place: TailPlace | undefined;
  readonly isHelpOpen: boolean;
  readonly prompt: Prompt | undefined;
  /** Text that was typed before the session was read; undefined if none was. */
  readonly ahead?: EditedLine | undefined;
  /** What happened to that text; shown until the next key. */
  readonly remark?: string | undefined;
}

/** What is on the screen, which a key can refer to. */
export interface KeyGround {
  readonly questions: readonly QuestionFacts[];
  /** Roles in a turn, which attaching would interrupt. */
  readonly atWork: readonly Role[];
  /** What the tail of the chosen role can show; undefined if nothing. */
  readonly tail?: TailFacts | undefined;
  readonly room?: TailRoom | undefined;
}

export const FIRST_STATE: ScreenState = {
  mode: "summary",
  role: "builder",
  place: undefined,
  isHelpOpen: false,
  prompt: undefined,
};

/** What a key asks for besides a change of the screen. */
export type ScreenEffect =
  /** The same as Ctrl-C. */
  | { readonly kind: "interrupt" }
  /** Leaves the screen and keeps the session running. */
  | { readonly kind: "background" }
  | { readonly kind: "attach"; readonly role: Role }
  | { readonly kind: "answer"; readonly question: string; readonly text: string };

export interface Pressed {
  readonly state: ScreenState;
  readonly effect: ScreenEffect | undefined;
}

/**
 * The screen state after a key, and what the key asks for. A pure function.
 *
 * ```
 *   summary ──t──► tail        d, t: back        1-4, left, right: whose tail
 *                              up, down, page up, page down, space, b, g, G: scroll
 *      │ k ► "stop it?" y            enter ► answer a question ► enter
 *      │ a ► attach; in a turn "interrupt it?" y
 *      └ ? ► help (any key closes)   esc closes what is open, else leaves
 * ```
 */
export function pressKey(before: ScreenState, key: Key, ground: KeyGround): Pressed {
  const state = { ...before, remark: undefined };
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  if (state.isHelpOpen) return changed(state, { isHelpOpen: false });
  const { prompt } = state;
  if (prompt === undefined) {
    return key.kind === "text"
      ? pressLetters(state, key.text, ground)
      : pressControl(state, key.kind, ground);
  }
  switch (prompt.kind) {
    case "kill":
      return confirm(state, key, { kind: "interrupt" });
    case "attach":
      return confirm(state, key, prompt);
    case "answered": {
      const isSeen = key.kind === "enter" || key.kind === "escape";
      return changed(state, isSeen ? { prompt: undefined } : {});
    }
    case "answer":
      return writeAnswer(state, prompt, { key, questions: ground.questions });
  }
}

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

function changed(state: ScreenState, change: Partial<ScreenState>): Pressed {
  return { state: { ...state, ...change }, effect: undefined };
}

function confirm(state: ScreenState, key: Key, effect: ScreenEffect): Pressed {
  const isSure = key.kind === "text" && key.text.toLowerCase() === "y";
  return { state: { ...state, prompt: undefined }, effect: isSure ? effect : undefined };
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
      // A started answer must not go to another question by mistake.
      if (next === undefined || line.text !== "") return changed(state, {});
      return changed(state, { prompt: { ...prompt, question: next.id } });
    }
    default:
      return changed(state, { prompt: { ...prompt, line: editLine(line, key) } });
  }
}

/** Handles letters that arrived together one by one, up to the first that has an effect. */
function pressLetters(state: ScreenState, text: string, ground: KeyGround): Pressed {
  let pressed: Pressed = { state, effect: undefined };
  for (const letter of text) {
    pressed = pressLetter(pressed.state, letter, ground);
    const { isHelpOpen, prompt } = pressed.state;
    if (pressed.effect !== undefined || isHelpOpen || prompt !== undefined) return pressed;
  }
  return pressed;
}

function pressLetter(state: ScreenState, letter: string, ground: KeyGround): Pressed {
  switch (letter) {
    case "t":
      return changed(state, {
        mode: state.mode === "tail" ? "summary" : "tail",
        place: undefined,
      });
    case "d":
      return changed(state, { mode: "summary", place: undefined });
    case "a": {
      const attach = { kind: "attach", role: state.role } as const;
      const isAtWork = ground.atWork.includes(state.role);
      return isAtWork ? changed(state, { prompt: attach }) : { state, effect: attach };
    }
    case "k":
      return changed(state, { prompt: { kind: "kill" } });
    case "?":
      return changed(state, { isHelpOpen: true });
    default:
      return state.mode === "tail" ? pressInTail(state, letter, ground) : changed(state, {});
  }
}

/** Letters that only the tail handles: choosing the role and scrolling. */
function pressInTail(state: ScreenState, letter: string, ground: KeyGround): Pressed {
  const role = ROLES[Number(letter) - 1];
  if (role !== undefined) return changed(state, { role, place: undefined });
  const move = LETTER_MOVES[letter];
  return move === undefined ? changed(state, {}) : scroll(state, move, ground);
}

/** The letters that pagers use for scrolling. */
const LETTER_MOVES: Partial<Readonly<Record<string, Scroll>>> = {
  g: "begin",
  G: "end",
  " ": "page-down",
  b: "page-up",
};

type Scroll = "up" | "down" | "page-up" | "page-down" | "begin" | "end";

/** Scrolling by a page keeps one row of the previous page in sight. */
function moveOf(by: Scroll, room: TailRoom): TailMove {
  const page = Math.max(room.rows - 1, 1);
  switch (by) {
    case "up":
      return { rows: -1 };
    case "down":
      return { rows: 1 };
    case "page-up":
      return { rows: -page };
    case "page-down":
      return { rows: page };
    default:
      return by;
  }
}

function scroll(state: ScreenState, by: Scroll, { tail, room }: KeyGround): Pressed {
  const isShown = tail !== undefined && tail.role === state.role && tail.lines.length > 0;
  if (!isShown || room === undefined || room.rows < 1) return changed(state, {});
  const place = moveTail(tail, state.place, { move: moveOf(by, room), room });
  return changed(state, { place });
}

function pressControl(state: ScreenState, kind: Key["kind"], ground: KeyGround): Pressed {
  const isTail = state.mode === "tail";
  switch (kind) {
    case "escape":
      return { state, effect: { kind: "background" } };
    case "enter": {
      const [first] = ground.questions;
      if (first === undefined) return changed(state, {});
      return changed(state, { prompt: { kind: "answer", question: first.id, line: EMPTY_LINE } });
    }
    case "left":
    case "right":
      return changed(state, isTail ? { role: neighbour(state.role, kind), place: undefined } : {});
    case "up":
    case "down":
    case "page-up":
    case "page-down":
    case "end":
      return isTail ? scroll(state, kind, ground) : changed(state, {});
    case "home":
      return isTail ? scroll(state, "begin", ground) : changed(state, {});
    default:
      return changed(state, {});
  }
}

function neighbour(role: Role, side: "left" | "right"): Role {
  const at = ROLES.indexOf(role) + (side === "left" ? ROLES.length - 1 : 1);
  return ROLES[at % ROLES.length] ?? role;
}
