import fc from "fast-check";
import { expect, test } from "vitest";
import { noticeRows } from "../../src/tui/notice-rows.ts";
import { FIRST_STATE } from "../../src/tui/screen-state.ts";
import { screenRows } from "../../src/tui/screen-rows.ts";
import { row, span, type Style } from "../../src/views/rows/row.ts";
import { FACTS, factsWith, textOf } from "./screen-of-facts.ts";

const notice = (style: Style, text: string) => row(span(style, text));
const FOUR = [
  notice("plain", "Reviewed 3 / 5 commits"),
  notice("ask", "the session is paused"),
  notice("bad", "the builder has failed"),
  notice("ask", "no supervisor is running"),
];

test("notices keep their order and begin with a sign of their own if there is room for all", () => {
  expect(textOf(noticeRows(FOUR, { columns: 80, rows: 4 }))).toEqual([
    "Reviewed 3 / 5 commits",
    "! the session is paused",
    "✗ the builder has failed",
    "! no supervisor is running",
  ]);
});

test("without room for all, the most important come first and the rest is counted", () => {
  expect(textOf(noticeRows(FOUR, { columns: 80, rows: 3 }))).toEqual([
    "✗ the builder has failed",
    "! the session is paused",
    "2 more: no supervisor is running; Reviewed 3 / 5 commits",
  ]);
  expect(textOf(noticeRows(FOUR, { columns: 80, rows: 1 }))[0]).toMatch(
    /^4 more: the builder has/u,
  );
  expect(noticeRows(FOUR, { columns: 80, rows: 0 })).toEqual([]);
});

test("a long notice is wrapped as far as there is room", () => {
  const long = notice("ask", "no verify command: work counts as done by its ticks alone");
  const shown = (rows: number) =>
    textOf(noticeRows([...FOUR.slice(0, 1), long], { columns: 40, rows }));
  expect(shown(3)).toEqual([
    "Reviewed 3 / 5 commits",
    "! no verify command: work counts as done",
    "  by its ticks alone",
  ]);
  expect(shown(2)[1]).toBe("! no verify command: work counts as done by its ticks alone");
});

test("whatever the notices and the room, none is left out without being counted", () => {
  const some = fc.array(
    fc.tuple(
      fc.constantFrom<Style>("bad", "ask", "good", "plain"),
      fc.stringMatching(/^[a-z ]{1,60}$/u),
    ),
  );
  fc.assert(
    fc.property(
      some,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 20, max: 90 }),
      (list, rows, columns) => {
        const notices = list.map(([style, text], at) => notice(style, `n${String(at)}. ${text}`));
        const shown = textOf(noticeRows(notices, { columns, rows }));
        expect(shown.length).toBeLessThanOrEqual(rows);
        const more = Number(/^(\d+) more: /u.exec(shown.at(-1) ?? "")?.[1] ?? 0);
        const named = shown
          .slice(0, more > 0 ? -1 : undefined)
          .filter((one) => /^\W*n\d+\./u.test(one));
        expect(named.length + more).toBe(notices.length);
      },
    ),
  );
});

test("at 80 by 24 cells with many notices, none is cut silently", () => {
  const meanwhile = Array.from({ length: 9 }, (_, at) => `warning ${String(at)}`);
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 50, rows: 12 },
  ]) {
    const shown = textOf(screenRows(factsWith({ meanwhile }), FIRST_STATE, size));
    expect(shown.join("\n")).toMatch(/^! warning 0$/mu);
    expect(shown.join("\n")).toMatch(/^\d+ more: warning \d; warning \d/mu);
  }
});

test("only what waits for an answer begins with a question mark, and no warning is in its style", () => {
  const questions = [{ id: "builder-1", role: "builder", ask: "Tabs?" }] as const;
  const facts = { ...FACTS, questions, notices: FOUR };
  for (const columns of [50, 80]) {
    const rows = screenRows(facts, FIRST_STATE, { columns, rows: 24 });
    const asking = rows.filter((one) => one.some(({ style }) => style === "question"));
    expect(asking.length).toBeGreaterThan(0);
    for (const one of asking) expect(textOf([one])[0]).not.toMatch(/^[!✗✓]/u);
    expect(textOf(rows).filter((one) => /^(?:╭─ )?\? /u.test(one))).toHaveLength(1);
    const stop = { ...FIRST_STATE, prompt: { kind: "stop" } } as const;
    expect(textOf(screenRows(FACTS, stop, { columns, rows: 24 })).at(-2)).toMatch(/^\? Stop the/u);
  }
});
