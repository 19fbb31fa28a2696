import fc from "fast-check";
import { expect, test } from "vitest";
import { changedPart } from "../../src/terminal/changed-part.ts";
import { RowWriter } from "../../src/terminal/row-writer.ts";
import { clipRow, widthOf } from "../../src/views/rows/cells.ts";
import { row, span, type Row, type Style } from "../../src/views/rows/row.ts";

const plain = (text: string) => row(span("plain", text));

test("of a row only the characters that have changed are written, if their widths are sure", () => {
  expect(changedPart(plain("│ 1m 20s works │"), plain("│ 1m 21s works │"))).toEqual({
    cells: 6,
    part: plain("1"),
    isWithin: true,
  });
  expect(changedPart(plain("one"), plain("one two"))).toMatchObject({
    cells: 3,
    part: plain(" two"),
  });
  expect(changedPart(plain("one two"), plain("one"))).toMatchObject({ cells: 3, part: [] });
  // A change of style is a change, too.
  const marked = row(span("plain", "a "), span("cursor", "b"), span("plain", " c"));
  expect(changedPart(plain("a b c"), marked)).toMatchObject({
    cells: 2,
    part: [span("cursor", "b")],
  });
});

test("from a character of another width on, the rest of the row is written as a whole", () => {
  expect(changedPart(plain("日本 1 x"), plain("日本 2 x"))).toEqual({
    cells: 0,
    part: plain("日本 2 x"),
    isWithin: false,
  });
  expect(changedPart(plain("1 日本"), plain("2 日本"))).toMatchObject({
    cells: 0,
    part: plain("2"),
  });
  // A mark that joins with the character before it is never written apart from it.
  expect(changedPart(plain("ae"), plain("ae\u0301"))).toMatchObject({ part: plain("e\u0301") });
  expect(changedPart(plain("xe\u0301"), plain("ye\u0301"))).toMatchObject({ part: plain("y") });
  expect(changedPart(plain("x\u0301e"), plain("y\u0301e"))).toMatchObject({
    part: plain("y\u0301e"),
  });
});

/** A terminal that knows what the writer needs: each of its cells is a character with its colours. */
function fakeTerminal(columns: number) {
  const rows: string[][] = [];
  let [at, column] = [0, 0];
  let style: readonly string[] = [];
  const put = (text: string) => {
    const cells = (rows[at] ??= []);
    const width = widthOf(text);
    if (width === 0) cells[column - 1] = `${cells[column - 1] ?? ""}${text}`;
    else {
      // Without wrapping, the last column is written over and over.
      const start = Math.min(column, columns - width);
      cells[start] = `${style.join()}${text}`;
      if (width === 2) cells[start + 1] = "";
      column = Math.min(start + width, columns);
    }
  };
  const sgr = (code: string) => {
    const ends: Readonly<Record<string, RegExp>> = { 22: /^[12]$/, 27: /^7$/, 39: /^[39]\d$/ };
    const ended = ends[code];
    style = ended === undefined ? [...style, code] : style.filter((one) => !ended.test(one));
  };
  return {
    write: (text: string) => {
      for (const [piece, parameters = "", final] of text.matchAll(
        /\u001B\[([?\d;]*)([A-Za-z])|[^]/gu,
      )) {
        const [first = "1", second = "1"] = parameters.split(";");
        if (final === undefined) put(piece);
        else if (final === "H") [at, column] = [Number(first) - 1, Number(second) - 1];
        else if (final === "K") (rows[at] ??= []).length = Math.min(rows[at]?.length ?? 0, column);
        else if (final === "m") sgr(parameters);
      }
    },
    shown: () =>
      rows.map((cells) => Array.from(cells, (cell: string | undefined) => cell ?? " ").join("")),
  };
}

test("whatever changes, the terminal shows what it would show had everything been written", () => {
  const letters = fc.constantFrom("a", "b", " ", "│", "⠸", "日", "e\u0301", "🙂", "✓", "é");
  const text = fc.array(letters, { maxLength: 6 }).map((all) => all.join(""));
  const style = fc.constantFrom<Style>("plain", "cursor", "good", "strong", "faint");
  const anyRow = fc.array(
    fc.tuple(style, text).map(([one, words]) => span(one, words)),
    { maxLength: 4 },
  );
  const frames = fc.array(fc.array(anyRow, { maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      frames,
      fc.integer({ min: 4, max: 24 }),
      fc.boolean(),
      (all, columns, hasColors) => {
        const terminal = fakeTerminal(columns);
        const writer = new RowWriter();
        for (const frame of all) {
          const rows: readonly Row[] = frame.map((one) => clipRow(one, columns));
          writer.draw(rows, { columns, hasColors, write: terminal.write });
          const whole = fakeTerminal(columns);
          new RowWriter().draw(rows, { columns, hasColors, write: whole.write });
          const shown = terminal.shown();
          expect(padded(shown, frame.length)).toEqual(padded(whole.shown(), frame.length));
          expect(shown.slice(frame.length).every((one) => one === "")).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

function padded(shown: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => (shown[at] ?? "").trimEnd());
}
