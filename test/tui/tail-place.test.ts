import fc from "fast-check";
import { expect, test } from "vitest";
import { moveTail, tailRowsFrom, type TailPlace } from "../../src/tui/tail-place.ts";
import { row } from "../../src/views/rows/row.ts";
import { textOf } from "./screen-of-facts.ts";

const tails = fc.record({
  role: fc.constant("builder" as const),
  first: fc.integer({ min: 0, max: 5 }),
  lines: fc.array(
    fc.stringMatching(/^[a-z ]{0,40}$/).map((text) => row(text)),
    { minLength: 1, maxLength: 30 },
  ),
});
const rooms = fc.record({
  columns: fc.integer({ min: 4, max: 30 }),
  rows: fc.integer({ min: 1, max: 12 }),
});

test("scrolling from the beginning row by row shows every row once, and then follows the end", () => {
  fc.assert(
    fc.property(tails, rooms, (tail, room) => {
      const whole = textOf(tailRowsFrom(tail, undefined, { ...room, rows: 10_000 }));
      let place: TailPlace | undefined = moveTail(tail, undefined, { move: "begin", room });
      let top = 0;
      while (place !== undefined) {
        expect(textOf(tailRowsFrom(tail, place, room))).toEqual(whole.slice(top, top + room.rows));
        place = moveTail(tail, place, { move: { rows: 1 }, room });
        top += 1;
      }
      expect(top).toBe(Math.max(0, whole.length - room.rows));
      expect(textOf(tailRowsFrom(tail, undefined, room))).toEqual(whole.slice(-room.rows));
    }),
  );
});

test("scrolling forward and back returns to the same place, unless an end was reached", () => {
  const places = fc.record({ line: fc.nat(40), part: fc.nat(5) });
  fc.assert(
    fc.property(tails, rooms, places, fc.integer({ min: 1, max: 20 }), (tail, room, at, rows) => {
      const from = moveTail(tail, at, { move: { rows: 0 }, room });
      const back = moveTail(tail, from, { move: { rows: -rows }, room });
      const isAtBegin = back?.line === tail.first && back.part === 0;
      if (isAtBegin || from === undefined) return;
      expect(moveTail(tail, back, { move: { rows }, room })).toEqual(from);
    }),
  );
});
