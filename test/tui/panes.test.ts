import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutPanes } from "../../src/tui/panes/pane-layout.ts";
import { FIRST_STATE, type ScreenState } from "../../src/tui/screen-state.ts";
import { nextPane, scroll } from "../../src/tui/press-scroll.ts";
import { keyGround, screenRows } from "../../src/tui/screen-rows.ts";
import { widthOf } from "../../src/views/rows/cells.ts";
import { row, span } from "../../src/views/rows/row.ts";
import type { ScreenFacts } from "../../src/views/screen/screen-facts.ts";
import { FACTS, factsWith, MILESTONE, textOf } from "./screen-of-facts.ts";

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

const LONG = "Export of invoices as PDF, with logos, 日本語の長い名前, and everything else 🙂🙂🙂";
const ASK =
  "Should totals be rounded per line, or once at the end? Per line matches the old export.";

/** A session with many milestones, long names, wide characters, findings and events. */
function busy(): ScreenFacts {
  const milestones = Array.from({ length: 30 }, (_, at) => ({
    ...MILESTONE,
    ...{ name: `${String(at + 1)} ${LONG}`, tasks: 4, tasksDone: at < 9 ? 4 : at === 9 ? 2 : 0 },
    ...{ isFinished: at < 9, isReviewed: at < 8, isTested: at < 7 },
  }));
  const rows = Array.from({ length: 300 }, (_, at) =>
    row(span("faint", "13:04:05 "), span("builder", "builder "), ` | event ${String(at)}: ${LONG}`),
  );
  const questions = [
    { id: "builder-1", role: "builder", ask: ASK, isBlocked: false, answer: "wisp answer" },
  ] as const;
  const sign = { beganMs: 0, pieces: 4, grewMs: 79_000, lastLine: `reading ${LONG}` };
  const events = { first: 40, rows };
  return factsWith(
    { session: "a-session-with-quite-a-long-name", milestones, questions: [...questions] },
    { events, signs: { reviewer: sign } },
  );
}

test.each(SIZES)("a busy session at $columns by $rows cells", async ({ columns, rows }) => {
  const shown = textOf(screenRows(busy(), FIRST_STATE, { columns, rows }));
  const file = `./screens/${String(columns)}x${String(rows)}.txt`;
  await expect(`${shown.map((one) => one.trimEnd()).join("\n")}\n`).toMatchFileSnapshot(file);
});

test("every frame is closed at both sides at every size that has frames", () => {
  const size = fc.record({
    columns: fc.integer({ min: 60, max: 250 }),
    rows: fc.integer({ min: 24, max: 80 }),
  });
  const place = fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined });
  fc.assert(
    fc.property(size, place, (on, events) => {
      const state: ScreenState = {
        ...FIRST_STATE,
        places: { events },
        search: { text: "event", at: 1 },
      };
      const rows = textOf(screenRows(busy(), state, on));
      expect(rows).toHaveLength(on.rows);
      const framed = rows.filter((one) => /^[╭│├╰]/u.test(one));
      expect(framed.length).toBeGreaterThan(10);
      for (const one of framed) {
        expect(one).toMatch(/[╮│┤╯]$/u);
        expect(widthOf(one)).toBe(on.columns);
      }
    }),
  );
});

test("the events are beside the rest on a wide screen, and below it on a narrow one", () => {
  const at = (columns: number) => textOf(screenRows(FACTS, FIRST_STATE, { columns, rows: 30 }));
  expect(at(120).some((one) => /╭─ Roles ─+╮╭─▸Events ─+╮/u.test(one))).toBe(true);
  expect(at(80).some((one) => /^├─▸Events ─+┤$/u.test(one))).toBe(true);
});

const OPEN = {
  name: "API",
  tasks: [
    { text: "Parse \u001B[31mrows", isDone: true },
    { text: "Print rows", isDone: false },
    { text: LONG, isDone: false },
  ],
};

test("a wide screen with room left lists the tasks of the open milestone, ticked or not", () => {
  const facts = factsWith({}, { openMilestone: OPEN });
  const shown = textOf(screenRows(facts, FIRST_STATE, { columns: 120, rows: 40 }));
  const at = shown.findIndex((one) => one.includes('├─ Tasks of "API" ─'));
  const tasks = shown.slice(at + 1, at + 4).map((one) => one.split("│")[1]?.trim());
  expect(tasks.slice(0, 2)).toEqual(["✓ Parse rows", "· Print rows"]);
  expect(tasks[2]).toMatch(/^· Export of invoices as PDF.*…$/u);
});

test("keys scroll the events while the chosen pane is not on the screen", () => {
  const on = { columns: 120, rows: 16 };
  const events = {
    first: 0,
    rows: Array.from({ length: 50 }, (_, at) => row(`event ${String(at)}`)),
  };
  const facts = factsWith({}, { events });
  const chosen: ScreenState = { ...FIRST_STATE, focus: "tasks" };
  const arrowOf = (state: ScreenState) =>
    textOf(screenRows(facts, state, on))
      .join("\n")
      .match(/▸(?:Milestones|Open|Events)/gu);
  expect(arrowOf(chosen)).toEqual(["▸Events"]);
  const ground = keyGround(facts, chosen, on);
  expect(scroll(chosen, "begin", ground).state.places).toEqual({ events: 0 });
  expect(arrowOf(nextPane(chosen, ground).state)).toEqual(["▸Milestones"]);
});

test("the tasks take no row that another list or a role wants", () => {
  const size = fc.record({
    columns: fc.integer({ min: 60, max: 250 }),
    rows: fc.integer({ min: 15, max: 80 }),
  });
  fc.assert(
    fc.property(size, fc.integer({ min: 0, max: 40 }), (on, count) => {
      const milestones = Array.from({ length: count }, () => MILESTONE);
      const of = (openMilestone: typeof OPEN | undefined) =>
        layoutPanes(factsWith({ milestones }, { openMilestone }), on)?.columns ?? [];
      const [without, withTasks] = [of(undefined), of(OPEN)].map((columns) =>
        columns
          .flatMap(({ panes }) => panes)
          .map((pane) =>
            pane.kind === "roles"
              ? { name: "roles", shown: pane.rows.length }
              : { name: pane.section.name, shown: Math.min(pane.room, pane.section.rows.length) },
          ),
      );
      expect(withTasks?.filter(({ name }) => name !== "tasks")).toEqual(without);
    }),
  );
});

test("on a small screen there are no frames, but everything that matters", () => {
  const shown = textOf(screenRows(busy(), FIRST_STATE, { columns: 50, rows: 14 })).join("\n");
  expect(shown).not.toMatch(/[╭│├]/u);
  expect(shown).toContain("? The builder asks (builder-1): Should totals");
  expect(shown).toContain("a-session-with-quite-a-long-name");
});

test("a question has a frame of its own and a style that no warning has", () => {
  const facts = { ...busy(), notices: [row(span("ask", "warning"))] };
  const rows = screenRows(facts, FIRST_STATE, { columns: 120, rows: 40 });
  const styleOf = (text: string) => rows.flat().find((one) => one.text.includes(text))?.style;
  expect(styleOf("warning")).toBe("ask");
  expect(styleOf("The builder asks (builder-1)")).toBe("question");
  expect(styleOf("? Question")).toBe("question");
});

test("a role at work shows a sign that moves with its output, the elapsed time and its last line", () => {
  const roleAt = (pieces: number, grewMs: number | undefined) => {
    const reviewer = { beganMs: 0, pieces, grewMs, lastLine: "reading src/api.ts" };
    const facts = factsWith({}, { signs: { reviewer }, nowMs: 80_000 });
    const rows = textOf(screenRows(facts, FIRST_STATE, { columns: 120, rows: 40 }));
    const at = rows.findIndex((one) => one.includes("reviewer 1m 20s"));
    expect(rows[at + 1]).toContain("└ reading src/api.ts");
    return rows[at]?.charAt(2);
  };
  expect([roleAt(3, 79_000), roleAt(4, 79_000), roleAt(5, 79_000)]).toEqual(["⠸", "⠼", "⠴"]);
  // An engine that prints nothing is still, whatever the time.
  expect(roleAt(3, 60_000)).toBe("●");
  expect(roleAt(0, undefined)).toBe("●");
});

test("a role that waits has another sign, and no time", () => {
  const rows = textOf(screenRows(FACTS, FIRST_STATE, { columns: 120, rows: 40 }));
  expect(rows.find((one) => one.includes("planner"))).toMatch(/^│ ○ planner {9}waits for work/u);
});

test("the bar of all tasks is at the end of the title, and full only at the end of the work", () => {
  const titleOf = (facts: ScreenFacts) => textOf(screenRows(facts, FIRST_STATE, SIZES[1]))[0];
  expect(titleOf(FACTS)).toMatch(/ █{22}░{18} 57%$/u);
  const almost = { ...FACTS, tasks: { done: 999, of: 1000 } };
  expect(titleOf(almost)).toMatch(/█░ 99%$/u);
  expect(titleOf({ ...FACTS, tasks: { done: 7, of: 7 } })).toMatch(/ █{40} 100%$/u);
  expect(titleOf({ ...FACTS, tasks: { done: 0, of: 0 } })).not.toContain("%");
});

test("a pane that is scrolled stays in place while rows are added and dropped", () => {
  const rows = Array.from({ length: 300 }, (_, at) => row(`event ${String(at)}.`));
  const shown = (first: number, all: typeof rows) =>
    textOf(
      screenRows(
        factsWith({}, { events: { first, rows: all } }),
        { ...FIRST_STATE, places: { events: 100 } },
        { columns: 80, rows: 40 },
      ),
    ).find((one) => one.includes("event "));
  expect(shown(0, rows)).toContain("event 100.");
  expect(shown(50, rows.slice(50))).toContain("event 100.");
  // What it showed is gone.
  expect(shown(120, rows.slice(120))).toContain("event 120.");
});
