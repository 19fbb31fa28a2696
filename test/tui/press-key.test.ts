import { expect, test } from "vitest";
import { TYPED_AHEAD_CHARS_MAX } from "../../src/base/limits.ts";
import type { Key } from "../../src/tui/key.ts";
import { pressKey } from "../../src/tui/press-key.ts";
import { keyBefore, withQuestions } from "../../src/tui/press-prompt.ts";
import { takeScrollsAhead } from "../../src/tui/press-scroll.ts";
import { row } from "../../src/views/rows/row.ts";
import {
  FIRST_STATE,
  type KeyGround,
  type Pressed,
  type ScreenState,
} from "../../src/tui/screen-state.ts";
import type { Role } from "../../src/base/role.ts";
import type { QuestionFacts } from "../../src/views/screen/screen-facts.ts";

const ASKED: readonly QuestionFacts[] = [
  { id: "builder-1", role: "builder", ask: "Tabs?" },
  { id: "tester-1", role: "tester", ask: "Which port?" },
];

const LINE = row("a line");
const tail = { role: "builder", first: 10, lines: Array.from({ length: 40 }, () => LINE) } as const;
const room = { columns: 80, rows: 11 };

/** Presses keys one after the other; words of several letters are names of keys or pasted text. */
function press(
  words: readonly string[],
  questions: readonly QuestionFacts[] = [],
  first: ScreenState = FIRST_STATE,
  atWork: readonly Role[] = [],
): Pressed {
  let pressed: Pressed = { state: first, effect: undefined };
  for (const word of words)
    pressed = pressKey(pressed.state, keyOf(word), { questions, atWork, tail, room });
  return pressed;
}

function keyOf(word: string): Key {
  switch (word) {
    case "enter":
    case "escape":
    case "backspace":
    case "erase-line":
    case "left":
    case "right":
    case "home":
    case "end":
    case "up":
    case "down":
    case "page-up":
    case "page-down":
    case "tab":
    case "interrupt":
      return { kind: word };
    default:
      return { kind: "text", text: word };
  }
}

test("t switches between tail and summary, d shows the summary", () => {
  expect(press(["t"]).state.mode).toBe("tail");
  expect(press(["t", "t"]).state.mode).toBe("summary");
  expect(press(["t", "d"]).state.mode).toBe("summary");
  expect(press(["d"]).state).toEqual(FIRST_STATE);
});

test("numbers and arrows choose the role in the tail view, and do nothing in the summary", () => {
  expect(press(["t", "3"]).state.role).toBe("reviewer");
  expect(press(["t", "4", "right"]).state.role).toBe("planner");
  expect(press(["t", "1", "left"]).state.role).toBe("tester");
  expect(press(["t", "7"]).state.role).toBe("builder");
  expect(press(["3", "left"]).state).toEqual(FIRST_STATE);
});

test("the tail scrolls by rows and pages, and follows again at its end", () => {
  const placeAfter = (...words: string[]) => press(["t", ...words]).state.place;
  expect(placeAfter()).toBeUndefined();
  // The last eleven rows begin with line 39.
  expect(placeAfter("up")).toEqual({ line: 38, part: 0 });
  expect(placeAfter("up", "up", "down")).toEqual({ line: 38, part: 0 });
  expect(placeAfter("up", "down")).toBeUndefined();
  expect(placeAfter("page-up")).toEqual({ line: 29, part: 0 });
  expect(placeAfter("b", "b", " ")).toEqual({ line: 29, part: 0 });
  expect(placeAfter("g")).toEqual({ line: 10, part: 0 });
  expect(placeAfter("home", "up", "page-down")).toEqual({ line: 20, part: 0 });
  expect(placeAfter("g", "G")).toBeUndefined();
  expect(placeAfter("g", "end")).toBeUndefined();
  expect(placeAfter("down", "page-down")).toBeUndefined();
});

test("what is still being read is scrolled as soon as it has been read, unless something else is shown by then", () => {
  const ground: KeyGround = { questions: [], atWork: [], room };
  const typed = (words: readonly string[]) =>
    words.reduce((state, word) => pressKey(state, keyOf(word), ground).state, FIRST_STATE);
  const unread = typed(["t", "page-up", "k"]);
  expect(unread.place).toBeUndefined();
  expect(takeScrollsAhead(unread, ground)).toBe(unread);
  const read = { ...ground, tail };
  expect(takeScrollsAhead(unread, read).place).toEqual(press(["t", "page-up", "k"]).state.place);
  expect(takeScrollsAhead(unread, read).place).toBeDefined();
  for (const left of [["right"], ["d"], ["t", "t"], ["f"]]) {
    const state = takeScrollsAhead(typed(["t", "page-up", ...left]), read);
    expect({ left, place: state.place }).toEqual({ left, place: undefined });
  }
  const items = ["one", "two", "three"].map((id) => ({ id, acts: [] }));
  const page = {
    kind: "list",
    page: { kind: "findings" },
    title: "",
    items,
    rows: [],
    ifNone: "",
  } as const;
  const onPage = { ...ground, page, pageRoom: room };
  expect(takeScrollsAhead(typed(["f", "j", "j"]), onPage).pages).toMatchObject([
    { chosen: "three" },
  ]);
});

test("another role or view begins at the end; a summary without panes does not scroll", () => {
  expect(press(["t", "up", "3"]).state.place).toBeUndefined();
  expect(press(["t", "up", "left", "up"]).state.place).toBeUndefined();
  expect(press(["t", "up", "t", "t"]).state.place).toBeUndefined();
  expect(press(["up", "g", "page-up", "home"]).state).toEqual(FIRST_STATE);
});

test("a asks before it interrupts a turn, and only y confirms", () => {
  const during = (...keys: string[]) => press(keys, [], FIRST_STATE, ["builder"]);
  const attach = { kind: "attach", role: "builder" } as const;
  expect(during("a")).toEqual({ state: { ...FIRST_STATE, prompt: attach }, effect: undefined });
  expect(during("a", "y").effect).toEqual(attach);
  expect(during("a", "y").state.prompt).toBeUndefined();
  // The rest of a text that arrives at once does not confirm.
  for (const other of ["n", "a", "yes", "escape", "enter"]) {
    expect(during("a", other)).toEqual({ state: FIRST_STATE, effect: undefined });
  }
  expect(during("ay").effect).toBeUndefined();
  // The turn of another role continues.
  expect(during("t", "3", "a").effect).toEqual({ kind: "attach", role: "reviewer" });
});

test("a attaches to the engine of the chosen role", () => {
  expect(press(["a"]).effect).toEqual({ kind: "attach", role: "builder" });
  expect(press(["t", "3", "d", "a"]).effect).toEqual({ kind: "attach", role: "reviewer" });
});

test("S asks before it stops the session, and only y confirms", () => {
  expect(press(["S"])).toEqual({
    state: { ...FIRST_STATE, prompt: { kind: "stop" } },
    effect: undefined,
  });
  expect(press(["S", "y"])).toEqual({ state: FIRST_STATE, effect: { kind: "interrupt" } });
  for (const other of ["n", "S", "yy", "escape", "enter"]) {
    expect(press(["S", other])).toEqual({ state: FIRST_STATE, effect: undefined });
  }
});

test("q leaves, and escape too if nothing is open", () => {
  expect(press(["q"])).toEqual({ state: FIRST_STATE, effect: { kind: "background" } });
  expect(press(["t", "q"]).effect).toEqual({ kind: "background" });
  expect(press(["escape"]).effect).toEqual({ kind: "background" });
  expect(press(["?", "escape"])).toEqual({ state: FIRST_STATE, effect: undefined });
  expect(press(["enter", "escape"], ASKED)).toEqual({ state: FIRST_STATE, effect: undefined });
});

test("any key closes the help and does nothing else", () => {
  expect(press(["?"]).state.isHelpOpen).toBe(true);
  expect(press(["?", "S"])).toEqual({ state: FIRST_STATE, effect: undefined });
});

test("Ctrl-C always interrupts, whatever is open", () => {
  for (const before of [[], ["?"], ["S"], ["t"], ["enter", "text"]]) {
    expect(press([...before, "interrupt"], ASKED).effect).toEqual({ kind: "interrupt" });
  }
});

test("an answer is typed in a line, including letters that are keys elsewhere", () => {
  const { state, effect } = press(["enter", "Sk", "a t?", "home", "<", "end", ">", "enter"], ASKED);
  expect(effect).toEqual({ kind: "answer", question: "builder-1", text: "<Ska t?>" });
  expect(state.prompt).toBeUndefined();
});

test("editing keys act on whole characters", () => {
  const text = (words: readonly string[]) => press([...words, "enter"], ASKED).effect;
  const answer = (said: string) => ({ kind: "answer", question: "builder-1", text: said });
  expect(text(["enter", "a😀", "backspace", "b"])).toEqual(answer("ab"));
  expect(text(["enter", "a😀c", "left", "left", "b"])).toEqual(answer("ab😀c"));
  expect(text(["enter", "ac", "home", "right", "b"])).toEqual(answer("abc"));
  expect(text(["enter", "abc", "erase-line", "d"])).toEqual(answer("d"));
});

test("pasted text stays one answer with all its lines, and is never taken as keys", () => {
  const pasted = { kind: "paste", text: "yes\nS\nno" } as const;
  const ground: KeyGround = { questions: ASKED, atWork: [] };
  const ignored = pressKey(FIRST_STATE, pasted, ground);
  expect(ignored.state.remark).toContain("was ignored");
  expect(ignored).toEqual({
    state: { ...FIRST_STATE, remark: ignored.state.remark },
    effect: undefined,
  });
  const { state } = pressKey(press(["enter"], ASKED).state, pasted, ground);
  const answer = { kind: "answer", question: "builder-1", text: "yes\nS\nno" };
  expect(press(["enter"], ASKED, state).effect).toEqual(answer);
  expect(pressKey(press(["S"]).state, { kind: "paste", text: "y" }, ground).effect).toBeUndefined();
  const searched = pressKey(press(["/"]).state, { kind: "paste", text: "a\n b" }, ground);
  expect(searched.state.prompt).toMatchObject({ line: { text: "a b" } });
});

test("a line break of pasted text that is not marked as such does not send the answer", () => {
  const { state } = press(["enter", "one"], ASKED);
  const [enter, next] = [{ kind: "enter" }, { kind: "text", text: "two" }] as const;
  expect(keyBefore(enter, next, state)).toEqual({ kind: "new-line" });
  expect(keyBefore(enter, enter, state)).toEqual({ kind: "new-line" });
  expect(keyBefore(enter, undefined, state)).toEqual(enter);
  expect(keyBefore(enter, { kind: "up" }, state)).toEqual(enter);
  expect(keyBefore(enter, next, press(["/", "one"]).state)).toEqual(enter);
});

test("an answer can be as long as its record, and a remark says what was not taken", () => {
  const full = press(["enter", "x".repeat(TYPED_AHEAD_CHARS_MAX + 1)], ASKED).state;
  expect(full.prompt).toMatchObject({ line: { cursor: TYPED_AHEAD_CHARS_MAX } });
  expect(full.remark).toContain("at most 1000 characters");
  expect(press(["y"], ASKED, full).state.remark).toContain("at most");
  expect(press(["backspace", "y"], ASKED, full).state.remark).toBeUndefined();
});

test("an answer that was begun and put off is still there for its question, and for no other", () => {
  const { state } = press(["enter", "half of it", "escape"], ASKED);
  expect(state.prompt).toBeUndefined();
  expect(state.remark).toContain("is kept");
  const back = press(["enter", " and more", "enter"], ASKED, state);
  expect(back.effect).toMatchObject({ question: "builder-1", text: "half of it and more" });
  expect(back.state.draft).toBeUndefined();
  expect(press(["enter"], ASKED.slice(1), state).state.prompt).toMatchObject({
    question: "tester-1",
    line: { text: "" },
  });
  expect(press(["enter", " ", "escape"], ASKED).state.draft).toBeUndefined();
});

test("Enter does not answer a question that nobody can have read yet, and says so", () => {
  const { state } = press(["enter", "for another one"], ASKED);
  const ground: KeyGround = { questions: ASKED, atWork: [], unread: "builder-1" };
  const tooEarly = pressKey(state, { kind: "enter" }, ground);
  expect(tooEarly.effect).toBeUndefined();
  expect(tooEarly.state).toMatchObject({ prompt: { line: { text: "for another one" } } });
  expect(tooEarly.state.remark).toContain("has just appeared");
  expect(press(["enter"], ASKED, tooEarly.state).effect).toMatchObject({ question: "builder-1" });
});

test("an empty answer is not sent, and nothing can be answered without a question", () => {
  expect(press(["enter", " ", "enter"], ASKED).effect).toBeUndefined();
  expect(press(["enter"])).toEqual({ state: FIRST_STATE, effect: undefined });
});

test("tab goes to another question, but not once an answer was begun", () => {
  const tabbed = press(["enter", "tab", "80", "enter"], ASKED).effect;
  expect(tabbed).toEqual({ kind: "answer", question: "tester-1", text: "80" });
  const begun = press(["enter", "yes", "tab", "enter"], ASKED).effect;
  expect(begun).toEqual({ kind: "answer", question: "builder-1", text: "yes" });
});

test("a question that was answered elsewhere closes its prompt", () => {
  const { state } = press(["enter"], ASKED);
  expect(withQuestions(state, ASKED)).toBe(state);
  expect(withQuestions(state, ASKED.slice(1)).prompt).toBeUndefined();
});

test("keys that arrive together are handled in order, up to the first that opens a prompt", () => {
  expect(press(["t3"]).state).toEqual({ ...FIRST_STATE, mode: "tail", role: "reviewer" });
  expect(press(["Sy"])).toEqual({
    state: { ...FIRST_STATE, prompt: { kind: "stop" } },
    effect: undefined,
  });
});

test("typing goes on being text, not keys, after somebody else has answered the question", () => {
  const begun = press(["enter", "be"], ASKED).state;
  const answered = withQuestions(begun, ASKED.slice(1));
  expect(answered.prompt).toEqual({ kind: "answered", question: "builder-1" });
  for (const typed of ["a", "k", "y", "left"]) {
    expect(press([typed], ASKED.slice(1), answered)).toEqual({
      state: answered,
      effect: undefined,
    });
  }
  for (const seen of ["enter", "escape"]) {
    expect(press([seen], ASKED.slice(1), answered)).toEqual({
      state: FIRST_STATE,
      effect: undefined,
    });
  }
});

const rows = Array.from({ length: 30 }, (_, at) =>
  row(`event ${String(at)} of ${at % 10 === 7 ? "Seven" : "x"}`),
);
const SECTIONS: KeyGround["panes"] = [
  { section: { name: "milestones", title: "Milestones", first: 0, rows, from: 12 }, room: 5 },
  { section: { name: "events", title: "Events", first: 100, rows, from: rows.length }, room: 10 },
];

/** Presses keys on a summary with panes; the texts of searches are words of more than one letter. */
function pressInPanes(...words: readonly string[]): ScreenState {
  const ground: KeyGround = { questions: [], atWork: [], panes: SECTIONS };
  return words.reduce((state, word) => pressKey(state, keyOf(word), ground).state, FIRST_STATE);
}

test("j, k, arrows and pages scroll the chosen pane, and the end of the events is followed", () => {
  const eventsAfter = (...words: string[]) => pressInPanes(...words).places.events;
  expect(eventsAfter("k")).toBe(119);
  expect(eventsAfter("k", "up", "j")).toBe(119);
  expect(eventsAfter("k", "down")).toBeUndefined();
  expect(eventsAfter("page-up")).toBe(111);
  expect(eventsAfter("b", "b", " ")).toBe(111);
  expect(eventsAfter("g")).toBe(100);
  expect(eventsAfter("g", "k")).toBe(100);
  expect(eventsAfter("home", "G")).toBeUndefined();
  expect(eventsAfter("g", "end")).toBeUndefined();
});

test("tab chooses the next pane, and each pane keeps its place", () => {
  expect(pressInPanes("tab").focus).toBe("milestones");
  expect(pressInPanes("tab", "tab").focus).toBe("events");
  // The current milestone is the second visible row.
  expect(pressInPanes("k", "tab", "j").places).toEqual({ events: 119, milestones: 12 });
  expect(pressInPanes("tab", "G").places).toEqual({ milestones: 25 });
});

test("what is typed quickly after / is sought, also if all of it arrives at once", () => {
  expect(pressInPanes("g", "/sEVEN", "enter").search?.at).toBe(107);
});

test("/ searches the chosen pane in any case, n and N go on around its ends", () => {
  const foundBy = (...words: string[]) => pressInPanes(...words).search?.at;
  const search = ["/", "sEVEN", "enter"];
  expect(foundBy("g", ...search)).toBe(107);
  expect(foundBy("g", ...search, "n")).toBe(117);
  expect(foundBy("g", ...search, "n", "n", "n")).toBe(107);
  expect(foundBy("g", ...search, "N")).toBe(127);
  // A match in sight moves nothing; another comes into sight.
  expect(pressInPanes("g", ...search).places.events).toBe(100);
  expect(pressInPanes("g", ...search, "n").places.events).toBe(115);
});

test("a search that finds nothing says so, and escape ends a search before it leaves", () => {
  const state = pressInPanes("/", "nowhere", "enter");
  expect(state.remark).toContain("Nothing here");
  const ground: KeyGround = { questions: [], atWork: [], panes: SECTIONS };
  expect(pressKey(state, { kind: "escape" }, ground)).toMatchObject({
    state: { search: undefined },
    effect: undefined,
  });
  expect(pressInPanes("/", "Sq", "escape")).toEqual({ ...FIRST_STATE, remark: undefined });
  expect(pressInPanes("/", "Seven", "enter", "/", "enter").search).toBeUndefined();
});

test("/ finds lines of an output, also after its first lines were dropped", () => {
  const lines = Array.from({ length: 40 }, (_, at) => row(`line ${String(at)}.`));
  const output = { role: "builder", first: 10, lines } as const;
  const words = ["t", "g", "/", "line 25.", "enter"];
  const found = words.reduce(
    (state, word) =>
      pressKey(state, keyOf(word), { questions: [], atWork: [], tail: output, room }).state,
    FIRST_STATE,
  );
  expect(found.place).toEqual({ line: 35, part: 0 });
});
