import { expect, test } from "vitest";
import { RowWriter } from "../../src/terminal/row-writer.ts";
import { FIRST_STATE } from "../../src/tui/screen-state.ts";
import { screenRows } from "../../src/tui/screen-rows.ts";
import { row, span } from "../../src/views/rows/row.ts";
import type { ScreenFacts } from "../../src/views/screen/screen-facts.ts";
import { factsWith, MILESTONE } from "./screen-of-facts.ts";

const NAME = "Export of invoices";

/** A session after some seconds, in which the reviewer's engine has printed so many pieces, and with so many events. */
function after(seconds: number, pieces: number): ScreenFacts {
  const nowMs = 80_000 + seconds * 1_000;
  const lastLine = `reading src/file-${String(pieces)}.ts`;
  const rows = Array.from({ length: 100 + pieces }, (_, at) =>
    row(
      ...[span("faint", "13:04:05 "), span("builder", "builder "), span("plain", " | ")],
      `finished step ${String(at)} of "${NAME}" with a few more words`,
    ),
  );
  return factsWith(
    {
      milestones: Array.from({ length: 30 }, (_, at) => ({
        ...MILESTONE,
        name: `${NAME} ${String(at)}`,
      })),
    },
    {
      nowMs,
      signs: { reviewer: { beganMs: 0, pieces, grewMs: nowMs, lastLine } },
      events: { first: 0, rows },
    },
  );
}

/*
 * The most at each size, a little above what docs/ARCHITECTURE.md tells. In the busy second, the screen is drawn as often as it ever is, each time with
 * another event, which moves all others, and another line of the engine.
 */
test.each([
  { columns: 80, rows: 24, whole: 4_000, quiet: 60, busy: 300 },
  { columns: 120, rows: 40, whole: 10_000, quiet: 60, busy: 800 },
  { columns: 200, rows: 60, whole: 19_000, quiet: 60, busy: 1_200 },
])(
  "bytes at $columns by $rows: $whole for everything, $quiet in a quiet second, $busy for a busy frame",
  (on) => {
    const writer = new RowWriter();
    const bytesOf = (facts: ScreenFacts) => {
      let bytes = 0;
      writer.draw(screenRows(facts, FIRST_STATE, on), {
        ...{ columns: on.columns, hasColors: true },
        write: (text) => void (bytes += Buffer.byteLength(text)),
      });
      return bytes;
    };
    const whole = bytesOf(after(0, 0));
    expect(whole).toBeLessThanOrEqual(on.whole);
    expect(bytesOf(after(0, 0))).toBe(0);
    const quiet = bytesOf(after(1, 0));
    expect(quiet).toBeGreaterThan(0);
    expect(quiet).toBeLessThanOrEqual(on.quiet);
    const busy = Array.from({ length: 8 }, (_, at) => bytesOf(after(1 + (at + 1) / 8, at + 1)));
    const mean = busy.reduce((sum, one) => sum + one, 0) / busy.length;
    expect(mean).toBeLessThanOrEqual(on.busy);
  },
);
