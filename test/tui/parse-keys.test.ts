import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/tui/key.ts";
import { parseKeys } from "../../src/tui/parse-keys.ts";

const text = (words: string): Key => ({ kind: "text", text: words });

test.each<[string, readonly Key[]]>([
  ["t", [text("t")]],
  ["\r", [{ kind: "enter" }]],
  ["\u001B", [{ kind: "escape" }]],
  ["\u001B[D", [{ kind: "left" }]],
  ["\u001BOC", [{ kind: "right" }]],
  ["\u001B[A\u001B[B", [{ kind: "up" }, { kind: "down" }]],
  ["\u001B[5~", [{ kind: "page-up" }]],
  ["\u001B[6~", [{ kind: "page-down" }]],
  ["\u001B[1~", [{ kind: "home" }]],
  ["\u001B[F", [{ kind: "end" }]],
  ["\t", [{ kind: "tab" }]],
  ["\u007F\b", [{ kind: "backspace" }, { kind: "backspace" }]],
  ["\u0003", [{ kind: "interrupt" }]],
  ["\u0001", [{ kind: "home" }]],
  ["\u0015", [{ kind: "erase-line" }]],
  ["abc", [text("abc")]],
  ["d\u007F\r", [text("d"), { kind: "backspace" }, { kind: "enter" }]],
  ["one\rtwo", [text("one two")]],
  ["one\r\n", [text("one"), { kind: "enter" }]],
  ["a\tb", [text("a b")]],
  ["two words, 日本語 🙂", [text("two words, 日本語 🙂")]],
  ["", []],
])("reads %j as %j", (input, keys) => {
  expect(parseKeys(input)).toEqual(keys);
});

test.each(["\u001B[1;5A", "\u001BOP", "\u001Bx", "\u001B[200~", "\u001B[<0;1;1M"])(
  "an unknown sequence such as %j is no key, and no text",
  (input) => {
    expect(parseKeys(input)).toEqual([]);
    expect(parseKeys(`${input}t`)).toEqual([text("t")]);
  },
);

test("whatever arrives, the text in it has no control characters", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u001B", "\u001B[", "\r", "\n", "\t", "\u009B31m", "\u0003", "\u007F"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const key of parseKeys(pieces.join(""))) {
        if (key.kind === "text") expect(key.text).toMatch(/^\P{Cc}+$/u);
      }
    }),
  );
});
