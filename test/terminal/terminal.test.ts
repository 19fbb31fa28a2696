import { expect, test } from "vitest";
import { callOf, hasColors, isInputRefused } from "../../src/terminal/terminal.ts";

test("colours are for terminals", () => {
  expect(hasColors({}, true)).toBe(true);
  expect(hasColors({}, false)).toBe(false);
  expect(hasColors({ TERM: "dumb" }, true)).toBe(false);
});

test("NO_COLOR takes precedence if it is not empty, then FORCE_COLOR", () => {
  expect(hasColors({ NO_COLOR: "" }, true)).toBe(true);
  expect(hasColors({ NO_COLOR: "0" }, true)).toBe(false);
  expect(hasColors({ NO_COLOR: "1", FORCE_COLOR: "1" }, true)).toBe(false);
  expect(hasColors({ FORCE_COLOR: "1" }, false)).toBe(true);
  expect(hasColors({ FORCE_COLOR: "0" }, true)).toBe(false);
});

test("asks nobody if WISP_NO_INPUT or CI is set", () => {
  expect([{}, { CI: "false" }, { WISP_NO_INPUT: "0" }].map(isInputRefused)).toEqual([
    false,
    false,
    false,
  ]);
  expect([{ CI: "true" }, { WISP_NO_INPUT: "1" }].map(isInputRefused)).toEqual([true, true]);
});

test("notifies by the bell and OSC 9, and the text cannot contain another sequence", () => {
  expect(callOf("wisp: a question")).toBe("\u0007\u001B]9;wisp: a question\u0007");
  const hostile = callOf("a\u0007\u001B]0;title\u001B\\\n\u009Cb");
  expect(hostile).toMatch(/^\u0007\u001B\]9;[^\p{Cc}]*\u0007$/u);
});
