import { expect, test } from "vitest";
import { typedKeys } from "../../src/tui/open-screen.ts";

test.each([
  ["abc", [{ kind: "text", text: "abc" }]],
  ["d\u007F\r", [{ kind: "text", text: "d" }, { kind: "backspace" }, { kind: "enter" }]],
  ["\u007F\b", [{ kind: "backspace" }, { kind: "backspace" }]],
  ["one\rtwo", [{ kind: "text", text: "one two" }]],
  ["one\r\n", [{ kind: "text", text: "one" }, { kind: "enter" }]],
  ["", []],
])("reads %j as %j", (input, keys) => {
  expect(typedKeys(input)).toEqual(keys);
});
