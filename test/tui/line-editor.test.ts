import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/tui/key.ts";
import { CONTROL_KEYS, SEQUENCE_KEYS } from "../../src/tui/keys/key-names.ts";
import { editLine, EMPTY_LINE, type EditedLine } from "../../src/tui/line-editor.ts";

/** A text with its cursor, which is a `|`. */
function line(marked: string): EditedLine {
  return { text: marked.replace("|", ""), cursor: marked.indexOf("|") };
}

function marked({ text, cursor }: EditedLine): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test.each<[string, Exclude<Key["kind"], "text" | "paste">, string]>([
  ["one two|", "erase-word", "one |"],
  ["one two  |", "erase-word", "one |"],
  ["one|", "erase-word", "|"],
  ["a b-c d|e", "erase-word", "a b-c |e"],
  ["one two|", "word-left", "one |two"],
  ["one, |two", "word-left", "|one, two"],
  ["one| two three", "word-right", "one two| three"],
  ["one |two", "erase-line", "|two"],
  ["a\nb|c", "erase-line", "a\n|c"],
  ["a\n|c", "erase-line", "a|c"],
  ["one| two", "erase-rest", "one|"],
  ["one|\ntwo", "erase-rest", "one|two"],
  ["a|😀b", "delete", "a|b"],
  ["ab|", "delete", "ab|"],
  ["a|b", "new-line", "a\n|b"],
  ["a\nb|c\nd", "home", "a\n|bc\nd"],
  ["a\nb|c\nd", "end", "a\nbc|\nd"],
  ["one\nt|wo", "up", "o|ne\ntwo"],
  ["a\ntwo|", "up", "a|\ntwo"],
  ["😀b\nabc|", "up", "😀b|\nabc"],
  ["one|", "up", "one|"],
  ["on|e\ntwo", "down", "one\ntw|o"],
  ["one|\n\nb", "down", "one\n|\nb"],
  ["one|", "down", "one|"],
  ["a|b", "page-up", "a|b"],
])("%j after %s is %j", (before, kind, after) => {
  expect(marked(editLine(line(before), { kind }))).toBe(after);
});

test("whatever is pressed, the cursor is within the text and between whole characters", () => {
  const plain = [...new Set([...CONTROL_KEYS.values(), ...SEQUENCE_KEYS.values()])];
  const key = fc.oneof(
    fc.constantFrom(...plain).map((kind): Key => ({ kind })),
    fc.string({ unit: "grapheme" }).map((text): Key => ({ kind: "paste", text })),
    fc.constantFrom("a", "😀", " ", "日").map((text): Key => ({ kind: "text", text })),
  );
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const { text, cursor } = keys.reduce(editLine, EMPTY_LINE);
      expect(cursor).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeLessThanOrEqual(text.length);
      expect(text.slice(0, cursor)).not.toMatch(/\p{Cs}/u);
    }),
  );
});
