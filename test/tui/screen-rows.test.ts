import fc from "fast-check";
import { expect, test } from "vitest";
import { FIRST_STATE, type ScreenState } from "../../src/tui/screen-state.ts";
import type { ScreenFacts } from "../../src/views/screen/screen-facts.ts";
import { screenRows } from "../../src/tui/screen-rows.ts";
import { widthOf, wrapText } from "../../src/views/rows/cells.ts";
import { row } from "../../src/views/rows/row.ts";
import { FACTS, factsWith, MILESTONE, textOf } from "./screen-of-facts.ts";

const SIZE = { columns: 80, rows: 23 };
const TAIL: ScreenState = { ...FIRST_STATE, mode: "tail" };

function shown(facts: ScreenFacts, state = FIRST_STATE, size = SIZE): string {
  return textOf(screenRows(facts, state, size)).join("\n");
}

test("the summary of a session fits on 80 by 24 cells", () => {
  expect(shown(FACTS, FIRST_STATE, { columns: 80, rows: 24 }).split("\n")).toEqual([
    "invoices  RUNNING (reviewing and testing)  1/2 milestones, 4/7 tasks  ███░░░ 57%",
    "branch wisp/invoices, used 12 turns, 1.20M tokens, 3.20 USD",
    "Reviewed 3 / 5 commits, open: 1 finding, 1 bug",
    "the builder waits at most 1m 20s more",
    "╭─ Roles ──────────────────────────────────────────────────────────────────────╮",
    "│ ○ planner         waits for work                                             │",
    "│ ○ builder         waits for the reviewer                                     │",
    '│ ⠸ reviewer 1m 20s works at reviewing "API"                                   │',
    "│   └ reading src/api.ts                                                       │",
    "│ ○ tester          was interrupted (not running)                              │",
    "├─ Milestones ─────────────────────────────────────────────────────────────────┤",
    "│ ✓ ██████████ 3/3 Schema  reviewed, tested                                    │",
    "│ ▸ ██░░░░░░░░ 1/4 API                                                         │",
    "├─ Open ───────────────────────────────────────────────────────────────────────┤",
    "│ COR-1  blocking  Off by one                                                  │",
    "│ BUG-1  blocking  It crashes                                                  │",
    "├─▸Events ─────────────────────────────────────────────────────────────────────┤",
    "│ 13:04:05 wisp     | starts the builder                                       │",
    '│ 13:04:09 builder  | finished "Schema"                                        │',
    "│                                                                              │",
    "│                                                                              │",
    "│                                                                              │",
    "╰──────────────────────────────────────────────────────────────────────────────╯",
    "t output  tab pane  s,f,c,p pages  a attach  S stop  q leave it running  ? help",
  ]);
});

test("without room for frames the summary is a list", () => {
  expect(shown(FACTS, FIRST_STATE, { columns: 50, rows: 20 }).split("\n")).toEqual([
    "invoices  RUNNING (reviewing and testing)  1/2 mi…",
    "branch wisp/invoices, used 12 turns, 1.20M tokens…",
    "○ planner         waits for work",
    "○ builder         waits for the reviewer",
    '⠸ reviewer 1m 20s works at reviewing "API"  └ rea…',
    "○ tester          was interrupted (not running)",
    "Reviewed 3 / 5 commits, open: 1 finding, 1 bug",
    "the builder waits at most 1m 20s more",
    "",
    "Milestones",
    "✓ ██████████ 3/3 Schema  reviewed, tested",
    "▸ ██░░░░░░░░ 1/4 API",
    "",
    "Open",
    "COR-1  blocking  Off by one",
    "BUG-1  blocking  It crashes",
    "",
    "Events",
    '13:04:09 builder  | finished "Schema"',
    "t output  S stop  q leave it running  ? help",
  ]);
});

test("many milestones, items and events share the rows, around the current milestone", () => {
  const milestones = Array.from({ length: 40 }, (_, index) => ({
    ...{ ...MILESTONE, name: `M${index}`, isFinished: index < 20 },
  }));
  const events = Array.from({ length: 99 }, (_, index) => row(`event ${index}`));
  const text = shown(factsWith({ milestones }, { events: { first: 0, rows: events } }));
  expect(text).toMatch(/M19 /u);
  expect(text).toMatch(/M20 /u);
  expect(text).not.toMatch(/M0 /u);
  expect(text).toContain("COR-1");
  expect(text).toContain("event 98");
});

test("a question and the line for its answer are shown above the keys", () => {
  const questions = [{ id: "builder-1", role: "builder", ask: "Tabs or spaces?" }] as const;
  const facts = { ...FACTS, questions };
  expect(shown(facts).split("\n").slice(-4)).toEqual([
    `╭─ ? Question ${"─".repeat(65)}╮`,
    `│ The builder asks (builder-1): Tabs or spaces?${" ".repeat(32)}│`,
    `╰${"─".repeat(78)}╯`,
    "enter answer  t output  s,f,c,p pages  S stop  q leave it running  ? help",
  ]);
  const line = { text: "Tabs", cursor: 4 };
  const prompt = { kind: "answer", question: "builder-1", line } as const;
  const state = { ...FIRST_STATE, prompt };
  expect(shown(facts, state).split("\n").slice(-5)).toEqual([
    `╭─ ? Question ${"─".repeat(65)}╮`,
    `│ The builder asks (builder-1): Tabs or spaces?${" ".repeat(32)}│`,
    `│ > Tabs${" ".repeat(71)}│`,
    `╰${"─".repeat(78)}╯`,
    "enter send  alt-enter new line  esc not now",
  ]);
  const small = { columns: 60, rows: 9 };
  expect(shown(facts, state, small).split("\n").slice(-3)).toEqual([
    "? The builder asks (builder-1): Tabs or spaces?",
    "> Tabs ",
    "enter send  alt-enter new line  esc not now",
  ]);
});

test("a long question is cut, and the screen says where to read all of it", () => {
  const ask = Array.from({ length: 200 }, (_, at) => `word${String(at)}`).join(" ");
  const questions = [{ id: "builder-1", role: "builder", ask }] as const;
  const rows = shown({ ...FACTS, questions }).split("\n");
  expect(rows.slice(-12)[0]).toContain("The builder asks (builder-1): word0 word1");
  expect(rows.at(-3)).toMatch(/^│ … full text: wisp status +│$/u);
});

test("an answer longer than the screen is wide is wrapped, with the cursor after its last character", () => {
  const questions = [{ id: "builder-1", role: "builder", ask: "?" }] as const;
  const line = { text: `${"a".repeat(100)}b`, cursor: 101 };
  const prompt = { kind: "answer", question: "builder-1", line } as const;
  const rows = screenRows({ ...FACTS, questions }, { ...FIRST_STATE, prompt }, SIZE);
  expect(textOf(rows).at(-4)).toMatch(/^│ > a{74} │$/);
  expect(textOf(rows).at(-3)).toMatch(/^│ {3}a{26}b {48}│$/);
  expect(rows.at(-3)?.find(({ style }) => style === "cursor")?.text).toBe(" ");
});

test("the tail shows the last lines of the chosen role, wrapped", () => {
  const lines = Array.from({ length: 50 }, (_, index) => {
    return row(`line ${index} ${"word ".repeat(20)}`.trim());
  });
  const rows = shown({ ...FACTS, tail: { role: "builder", first: 0, lines } }, TAIL).split("\n");
  expect(rows[0]).toBe("invoices  1 planner 2 [builder] 3 reviewer 4 tester");
  expect(rows.at(-3)).toMatch(/^line 49 word/);
  expect(rows.at(-2)).toMatch(/^word/);
});

test("a tail that is scrolled back stays in place while lines are added, and says how to follow", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => row(`line ${n}`));
  const scrolled = { ...TAIL, place: { line: 3, part: 0 } };
  const before = shown(
    { ...FACTS, tail: { role: "builder", first: 0, lines: lines(50) } },
    scrolled,
  );
  expect(before.split("\n").slice(1, 3)).toEqual(["-- scrolled back: G follows --", "line 3"]);
  const more = { role: "builder", first: 2, lines: lines(80).slice(2) } as const;
  expect(shown({ ...FACTS, tail: more }, scrolled)).toBe(before);
});

test("shows as many key hints as fit, the most important first", () => {
  const at = (columns: number) => textOf(screenRows(FACTS, TAIL, { columns, rows: 10 })).at(-1);
  expect(at(80)).toContain("j,k scroll");
  expect(at(40)).toBe("t,d summary  S stop  q leave  ? help");
  expect(at(20)).toBe("q leave  ? help");
});

test("does not show the tail of another role for the chosen one", () => {
  const lines = [row("secret plan")];
  expect(shown({ ...FACTS, tail: { role: "planner", first: 0, lines } }, TAIL)).toContain(
    "This role has not had a turn yet.",
  );
});

test("says that the session is being read before anything is known", () => {
  expect(textOf(screenRows(undefined, FIRST_STATE, SIZE))).toEqual(["Reading the session…"]);
});

test("rows never exceed a screen of any size", () => {
  const states: readonly ScreenState[] = [
    FIRST_STATE,
    TAIL,
    { ...TAIL, place: { line: 0, part: 0 } },
    { ...FIRST_STATE, isHelpOpen: true },
    { ...FIRST_STATE, prompt: { kind: "stop" } },
    { ...FIRST_STATE, places: { events: 7, milestones: 99 }, search: { text: "s", at: 1 } },
    { ...FIRST_STATE, prompt: { kind: "search", line: { text: "日本語", cursor: 1 } } },
    {
      ...FIRST_STATE,
      prompt: { kind: "answer", question: "q", line: { text: "日本語 and more", cursor: 2 } },
    },
    {
      ...FIRST_STATE,
      prompt: {
        kind: "answer",
        question: "q",
        line: { text: "日本\n語\n\n".repeat(9), cursor: 9 },
      },
    },
  ];
  const size = fc.record({
    columns: fc.integer({ min: 4, max: 150 }),
    rows: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      size,
      fc.string({ unit: "grapheme" }),
      (state, on, text) => {
        const words = text.replace(/\p{C}/gu, "");
        const told = { name: words, tasks: 3, tasksDone: 2 };
        const reviewer = { beganMs: 0, pieces: 1, grewMs: 79_000, lastLine: text };
        const facts: ScreenFacts = {
          ...factsWith({ milestones: [{ ...MILESTONE, ...told }] }, { signs: { reviewer } }),
          questions: [{ id: "q", role: "builder", ask: words }],
          tail: { role: "builder", first: 0, lines: [row(words)] },
          said: [{ style: "bad", text: words }],
        };
        const rows = textOf(screenRows(facts, state, on));
        expect(rows).toHaveLength(on.rows);
        for (const row of rows) {
          expect(widthOf(row)).toBeLessThanOrEqual(on.columns);
          expect(row).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

test("wrapping keeps every word", () => {
  const words = fc.array(fc.stringMatching(/^[a-z日本]{1,12}$/u), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 40 }), (list, columns) => {
      const pieces = wrapText(list.join(" "), columns);
      expect(pieces.join("").replaceAll(" ", "")).toBe(list.join(""));
      for (const piece of pieces) expect(widthOf(piece)).toBeLessThanOrEqual(columns);
    }),
  );
});
