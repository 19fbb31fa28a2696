import { expect, test } from "vitest";
import { TYPED_AHEAD_CHARS_MAX } from "../../src/base/limits.ts";
import type { Key } from "../../src/tui/key.ts";
import { pressKey } from "../../src/tui/press-key.ts";
import { FIRST_STATE, type ScreenState } from "../../src/tui/screen-state.ts";
import { screenRows } from "../../src/tui/screen-rows.ts";
import { takeTypedAhead, typeAhead } from "../../src/tui/typed-ahead.ts";
import { textOf } from "./screen-of-facts.ts";

/*
 * Keys that are typed before the screen has read the session.
 */

const ASKED = [{ id: "builder-1", role: "builder", ask: "Tabs?" }] as const;
const EVERY_KEY: readonly Key[] = [
  ...["a", "k", "y", "t", "d", "?", "1", "yes, and a dash"].map(
    (text) => ({ kind: "text", text }) as const,
  ),
  ...(["enter", "escape", "tab", "left", "up", "home", "backspace", "erase-line"] as const).map(
    (kind) => ({ kind }),
  ),
];

function typed(...keys: readonly Key[]): ScreenState {
  return keys.reduce((state, key) => typeAhead(state, key).state, FIRST_STATE);
}

test("before the session is read, no key but Ctrl-C has an effect", () => {
  let state = FIRST_STATE;
  for (const key of [...EVERY_KEY, ...EVERY_KEY]) {
    const pressed = typeAhead(state, key);
    expect(pressed.effect).toBeUndefined();
    const { ahead: _, ...rest } = pressed.state;
    expect(rest).toEqual(FIRST_STATE);
    state = pressed.state;
  }
  expect(typeAhead(state, { kind: "interrupt" }).effect).toEqual({ kind: "interrupt" });
});

test("typed-ahead text becomes the answer line of an open question, and is sent only by another Enter", () => {
  const early = typed(
    { kind: "enter" },
    { kind: "text", text: "yes, and a dash" },
    { kind: "enter" },
  );
  const read = takeTypedAhead(early, ASKED);
  expect(read.prompt).toMatchObject({ kind: "answer", question: "builder-1" });
  expect(read.remark).toContain("is in the line");
  const ground = { questions: ASKED, atWork: [] };
  const sent = pressKey(read, { kind: "enter" }, ground);
  expect(sent.effect).toEqual({ kind: "answer", question: "builder-1", text: "yes, and a dash" });
  expect(sent.state).toEqual({ ...FIRST_STATE, ahead: undefined, remark: undefined });
});

test("typed-ahead text is dropped without a question, and a remark says so until the next key", () => {
  const read = takeTypedAhead(typed({ kind: "text", text: "a" }), []);
  expect(read).toMatchObject({ prompt: undefined, ahead: undefined });
  expect(read.remark).toContain("was ignored");
  const { state } = pressKey(read, { kind: "left" }, { questions: [], atWork: [] });
  expect(state.remark).toBeUndefined();
});

test.each([
  ["pasted at once", ["x".repeat(3 * TYPED_AHEAD_CHARS_MAX)]],
  ["typed for long", Array.from({ length: 3 * TYPED_AHEAD_CHARS_MAX }, () => "x")],
  ["pasted again and again", Array.from({ length: 50 }, () => "🙂".repeat(99))],
])("text that is %s is cut to the length of an answer, and a remark says so", (_how, texts) => {
  const early = typed(...texts.map((text) => ({ kind: "text", text }) as const));
  const length = early.ahead?.text.length ?? 0;
  expect(length).toBeLessThanOrEqual(TYPED_AHEAD_CHARS_MAX);
  expect(length).toBeGreaterThanOrEqual(TYPED_AHEAD_CHARS_MAX - 1);
  expect(texts.join("").startsWith(early.ahead?.text ?? "?")).toBe(true);
  expect(early.ahead?.text).not.toMatch(/[\ud800-\udbff]$/);
  expect(takeTypedAhead(early, ASKED).remark).toContain("cut to the length of an answer");
  // After a deletion, there is room again.
  const shorter = typed(
    ...texts.map((text) => ({ kind: "text", text }) as const),
    { kind: "backspace" },
    { kind: "text", text: "yz" },
  );
  expect(shorter.ahead?.text).toMatch(/yz?$/u);
});

test("shows no remark if nothing was typed", () => {
  expect(takeTypedAhead(FIRST_STATE, ASKED)).toBe(FIRST_STATE);
});

test("while the session is read, the screen says what happens to typed text", () => {
  const size = { columns: 80, rows: 24 };
  expect(textOf(screenRows(undefined, FIRST_STATE, size))).toEqual(["Reading the session…"]);
  const shown = textOf(screenRows(undefined, typed({ kind: "text", text: "a" }), size)).join("\n");
  expect(shown).toContain("kept as an answer");
});
