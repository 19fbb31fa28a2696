import { expect, test } from "vitest";
import { RowWriter } from "../../src/terminal/row-writer.ts";
import { row, span } from "../../src/views/rows/row.ts";

/** A writer and everything that it has written, piece by piece. */
function writer(columns = 10, hasColors = false) {
  const written: string[] = [];
  const rows = new RowWriter();
  const write = (text: string) => void written.push(text);
  const draw = (...texts: readonly string[]) =>
    rows.draw(
      texts.map((text) => row(span("good", text))),
      { write, columns, hasColors },
    );
  return { draw, written };
}

test("draws each row at its place and erases the rest of it, all at once", () => {
  const { draw, written } = writer();
  draw("one", "two");
  expect(written).toEqual([
    "\u001B[?2026h\u001B[1;1Hone\u001B[K\u001B[2;1Htwo\u001B[K\u001B[?2026l",
  ]);
});

test("writes only the rows that have changed, and nothing at all if none has", () => {
  const { draw, written } = writer();
  draw("one", "two", "three");
  draw("one", "2", "three");
  draw("one", "2", "three");
  expect(written.slice(1)).toEqual(["\u001B[?2026h\u001B[2;1H2\u001B[K\u001B[?2026l"]);
});

test("erases the rows that are no longer there", () => {
  const { draw, written } = writer();
  draw("one", "two", "three");
  draw("one");
  expect(written[1]).toBe("\u001B[?2026h\u001B[2;1H\u001B[K\u001B[3;1H\u001B[K\u001B[?2026l");
});

test("does not erase after a row that fills the terminal, which would erase its last character", () => {
  const { draw, written } = writer(5);
  draw("12345", "日本1");
  expect(written[0]).not.toContain("\u001B[K");
});

test("writes colours only if there are any", () => {
  const { draw, written } = writer(10, true);
  draw("one");
  expect(written[0]).toContain("\u001B[32mone");
});
