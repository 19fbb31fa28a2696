import { expect, test } from "vitest";
import { hasColors, isInputRefused } from "../../src/cli/terminal.ts";

test("colours are for terminals", () => {
  expect(hasColors({}, true)).toBe(true);
  expect(hasColors({}, false)).toBe(false);
  expect(hasColors({ TERM: "dumb" }, true)).toBe(false);
});

test("NO_COLOR wins when it says anything, FORCE_COLOR after it", () => {
  expect(hasColors({ NO_COLOR: "" }, true)).toBe(true);
  expect(hasColors({ NO_COLOR: "0" }, true)).toBe(false);
  expect(hasColors({ NO_COLOR: "1", FORCE_COLOR: "1" }, true)).toBe(false);
  expect(hasColors({ FORCE_COLOR: "1" }, false)).toBe(true);
  expect(hasColors({ FORCE_COLOR: "0" }, true)).toBe(false);
});

test("nobody is asked where WISP_NO_INPUT or CI is set", () => {
  expect([{}, { CI: "false" }, { WISP_NO_INPUT: "0" }].map(isInputRefused)).toEqual([
    false,
    false,
    false,
  ]);
  expect([{ CI: "true" }, { WISP_NO_INPUT: "1" }].map(isInputRefused)).toEqual([true, true]);
});
