import fc from "fast-check";
import { expect, test } from "vitest";
import { answerRows } from "../../src/tui/answer-rows.ts";
import { widthOf } from "../../src/views/rows/cells.ts";
import { textOf } from "./screen-of-facts.ts";

const cursorIn = (rows: ReturnType<typeof answerRows>) =>
  rows.flat().filter(({ style }) => style === "cursor");

test("an answer of several lines is shown line by line, its cursor where it is", () => {
  const rows = answerRows({ text: "yes\n\nand no", cursor: 6 }, { columns: 20, rows: 6 });
  expect(textOf(rows)).toEqual(["> yes", "  ", "  and no"]);
  expect(rows[2]?.map(({ text }) => text)).toEqual(["  ", "a", "n", "d no"]);
});

test("of a long answer the rows around the cursor are shown, and marks say where there are more", () => {
  const text = Array.from({ length: 9 }, (_, at) => `line ${String(at)}`).join("\n");
  const shown = (cursor: number) => textOf(answerRows({ text, cursor }, { columns: 20, rows: 3 }));
  expect(shown(0)).toEqual(["> line 0", "  line 1", "⋮ line 2"]);
  expect(shown(30)).toEqual(["⋮ line 3", "  line 4", "⋮ line 5"]);
  expect(shown(text.length)).toEqual(["⋮ line 6", "  line 7", "  line 8 "]);
});

test("every row fits, none is left out if there is room, and there is one cursor", () => {
  const room = fc.record({ columns: fc.integer({ min: 4, max: 40 }), rows: fc.constant(2_000) });
  const text = fc.string({ unit: fc.constantFrom("a", "b ", "日", "😀", "\n"), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(), room, (words, at, on) => {
      const before = words.slice(0, at % (words.length + 1)).replace(/[\ud800-\udbff]$/u, "");
      const rows = answerRows({ text: words, cursor: before.length }, on);
      const shown = rows.map((one) => one.slice(1).map((span) => span.text)).flat();
      expect(shown.join("").replaceAll(" ", "")).toBe(words.replaceAll(/[\n ]/g, ""));
      expect(cursorIn(rows)).toHaveLength(1);
      for (const one of textOf(rows)) expect(widthOf(one)).toBeLessThanOrEqual(on.columns);
    }),
  );
});

test("an answer that fills its row has its cursor in the next", () => {
  const rows = answerRows({ text: "12345678", cursor: 8 }, { columns: 10, rows: 6 });
  expect(textOf(rows)).toEqual(["> 12345678", "   "]);
  expect(cursorIn(rows)).toEqual([{ style: "cursor", text: " " }]);
});
