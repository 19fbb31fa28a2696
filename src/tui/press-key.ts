import { ROLES, type Role } from "../base/role.ts";
import type { Key } from "./key.ts";
import { EMPTY_LINE } from "./line-editor.ts";
import { closePage, openChosen, pressPageLetter, readOnly } from "./pages/press-page.ts";
import { answerPrompt, pressInPrompt } from "./press-prompt.ts";
import { LETTER_SCROLLS, nextPane, scroll, searchOn } from "./press-scroll.ts";
import { changed, type KeyGround, type Pressed, type ScreenState } from "./screen-state.ts";

/**
 * The screen state after a key, and what the key asks for. A pure function.
 *
 * ```
 *   summary ──t──► tail        d, t: back        1-4, left, right: whose tail
 *      │   in both: j, k, up, down, page up, page down, space, b, g, G scroll;
 *      │            / searches, n, N: next match and previous one
 *      │ tab ► the next pane     S ► "stop it?" y
 *      │ a ► attach; in a turn "interrupt it?" y
 *      │ enter ► answer a question ► enter
 *      │ f, c, s ► a page with a list: j, k choose, enter opens, esc back
 *      └ ? ► help (any key closes)   q leaves   esc closes what is open, else leaves
 * ```
 */
export function pressKey(before: ScreenState, key: Key, ground: KeyGround): Pressed {
  const state = { ...before, remark: undefined };
  if (key.kind === "interrupt") return { state, effect: { kind: "interrupt" } };
  if (state.isHelpOpen) return changed(state, { isHelpOpen: false });
  const { prompt } = state;
  if (prompt !== undefined) return pressInPrompt(state, prompt, { key, ground });
  switch (key.kind) {
    case "text":
      return pressLetters(state, key.text, ground);
    case "paste":
      return changed(state, { remark: ground.questions.length > 0 ? PASTE_TO_ANSWER : NOT_KEYS });
    default:
      return pressControl(state, key.kind, ground);
  }
}

const NOT_KEYS = "Pasted text was ignored: it is never taken as keys.";
const PASTE_TO_ANSWER = "Pasted text was ignored: press enter to answer, then paste it again.";

/**
 * Handles letters that arrived together one by one, up to the first that has an effect. What follows the letter that
 * opens a search is the sought text; nothing that was typed before a confirmation was asked for confirms it.
 */
function pressLetters(state: ScreenState, text: string, ground: KeyGround): Pressed {
  let pressed: Pressed = { state, effect: undefined };
  let rest = text;
  for (const letter of text) {
    rest = rest.slice(letter.length);
    pressed = pressLetter(pressed.state, letter, ground);
    const { isHelpOpen, prompt } = pressed.state;
    if (prompt?.kind === "search" && rest !== "") {
      return pressInPrompt(pressed.state, prompt, { key: { kind: "text", text: rest }, ground });
    }
    if (pressed.effect !== undefined || isHelpOpen || prompt !== undefined) return pressed;
  }
  return pressed;
}

function pressLetter(state: ScreenState, letter: string, ground: KeyGround): Pressed {
  const onPage = pressPageLetter(state, letter, ground);
  if (onPage !== undefined) return onPage;
  switch (letter) {
    case "t":
      return changed(
        state,
        withMode(state.mode === "tail" && state.pages.length === 0 ? "summary" : "tail"),
      );
    case "d":
      return changed(state, withMode("summary"));
    case "a": {
      if (ground.isReadOnly === true) return readOnly(state);
      const attach = { kind: "attach", role: state.role } as const;
      const isAtWork = ground.atWork.includes(state.role);
      return isAtWork ? changed(state, { prompt: attach }) : { state, effect: attach };
    }
    case "q":
      return { state, effect: { kind: "background" } };
    case "S":
      if (ground.isReadOnly === true) return readOnly(state);
      return changed(state, { prompt: { kind: "stop" } });
    case "/":
      return changed(state, { prompt: { kind: "search", line: EMPTY_LINE } });
    case "n":
    case "N":
      return searchOn(state, ground, letter === "N");
    case "?":
      return changed(state, { isHelpOpen: true });
    default:
      return pressPlaceLetter(state, letter, ground);
  }
}

function withMode(mode: ScreenState["mode"]): Partial<ScreenState> {
  return { mode, place: undefined, pages: [], search: undefined, scrollsAhead: undefined };
}

/** Letters that scroll or, in the tail, choose the role. */
function pressPlaceLetter(state: ScreenState, letter: string, ground: KeyGround): Pressed {
  const isTail = state.mode === "tail" && state.pages.length === 0;
  const role = isTail ? ROLES[Number(letter) - 1] : undefined;
  if (role !== undefined) return changed(state, { role, place: undefined, search: undefined });
  const move = LETTER_SCROLLS[letter];
  return move === undefined ? changed(state, {}) : scroll(state, move, ground);
}

function pressControl(state: ScreenState, kind: Key["kind"], ground: KeyGround): Pressed {
  const isTail = state.mode === "tail" && state.pages.length === 0;
  switch (kind) {
    case "escape":
      if (state.search === undefined && state.pages.length > 0) return closePage(state);
      if (state.search !== undefined) return changed(state, { search: undefined });
      return { state, effect: { kind: ground.isReadOnly === true ? "return" : "background" } };
    case "enter": {
      if (state.pages.length > 0) return openChosen(state, ground);
      const [first] = ground.questions;
      if (first === undefined) return changed(state, {});
      if (ground.isReadOnly === true) return readOnly(state);
      return changed(state, { prompt: answerPrompt(state, first.id) });
    }
    case "tab":
      return isTail || state.pages.length > 0 ? changed(state, {}) : nextPane(state, ground);
    case "left":
    case "right": {
      const role = neighbour(state.role, kind);
      return changed(state, isTail ? { role, place: undefined, search: undefined } : {});
    }
    case "up":
    case "down":
    case "page-up":
    case "page-down":
    case "end":
      return scroll(state, kind, ground);
    case "home":
      return scroll(state, "begin", ground);
    default:
      return changed(state, {});
  }
}

function neighbour(role: Role, side: "left" | "right"): Role {
  const at = ROLES.indexOf(role) + (side === "left" ? ROLES.length - 1 : 1);
  return ROLES[at % ROLES.length] ?? role;
}
