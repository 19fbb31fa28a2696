import { expect, test } from "vitest";
import { keptOf, resultsOf, textOf } from "../../bench/report.js";
import { aimOf, isMissed, ratioOf } from "../../bench/aim.js";
import { curvesOf } from "../../bench/curves.js";
import { asPoints } from "../../bench/row.js";
import { changesOf, limitsOf, tableOf } from "../../bench/table.js";
import { documentOf } from "../rig/document.ts";

const GAP = {
  metric: "gap",
  unit: "ms",
  wisp: [30, 10, 20],
  limit: [2, 4, 3],
  aim: "≤ 25 ms",
  bound: "fsync",
} as const;

const REPORT = {
  machine: "two cores",
  commit: "abc",
  date: "2026-01-01",
  load: "load 0.1 to 0.2",
  seconds: 9,
  isQuick: false,
  rows: [GAP],
  explained: [],
  failures: [],
};

function cellsOf(table: string): readonly string[] {
  return (table.split("\n")[2] ?? "").split("|").map((cell) => cell.trim());
}

test("a row has the median with its spread, the limit's, and the ratio of the medians", () => {
  expect(cellsOf(tableOf([GAP]))).toEqual([
    "",
    "gap",
    "20 ms (10–30)",
    "3 ms (2–4), bare bash loop",
    "6.67 ×",
    "≤ 25 ms",
    "",
    "",
  ]);
});

test("what was not measured says so, has no ratio, and gives its reason", () => {
  const row = { ...GAP, limit: [], note: "ralphy: not installed" };
  expect(cellsOf(tableOf([row])).slice(3, 5)).toEqual(["ralphy: not installed", ""]);
  expect(cellsOf(tableOf([{ ...GAP, wisp: [] }]))[2]).toBe("not measured");
  expect(ratioOf(row)).toBeUndefined();
  expect(ratioOf({ ...GAP, limit: [0] })).toBeUndefined();
});

test("all lines of a table have the same columns, at the same places", () => {
  const lines = tableOf([GAP, { ...GAP, metric: "a much longer name" }]).split("\n");
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(new Set(lines.map((line) => line.split("|").length)).size).toBe(1);
});

test("rows that the same thing limits stand together", () => {
  const lines = limitsOf([GAP, { ...GAP, metric: "tail" }, { ...GAP, bound: "Node" }]).split("\n");
  expect(lines[2]).toMatch(/^\| gap; tail +\| ≤ 25 ms +\| fsync +\|$/);
  expect(lines[3]).toMatch(/^\| gap +\| ≤ 25 ms +\| Node +\|$/);
});

test("results name the machine, the date and the commit, and what failed", () => {
  const text = resultsOf({ ...REPORT, failures: ["watch: it broke"] });
  for (const fact of ["two cores", "2026-01-01", "abc", "load 0.1", "fsync", "watch: it broke"]) {
    expect(text).toContain(fact);
  }
});

test("a quick run says that its figures are worth nothing", () => {
  expect(textOf({ ...REPORT, isQuick: true })).toMatch(/small sizes/);
  expect(textOf(REPORT)).not.toMatch(/small sizes/);
});

test("two builds are compared by the medians of the rows that both measured, each once", () => {
  const before = [
    { ...GAP, wisp: [90, 80, 100] },
    { ...GAP, metric: "only before" },
  ];
  const after = [GAP, GAP, { ...GAP, metric: "only after" }, { ...GAP, unit: "MB" } as const];
  const lines = changesOf(before, after).split("\n").slice(2);
  expect(lines.map((line) => line.split("|").map((cell) => cell.trim()))).toEqual([
    ["", "gap", "90 ms", "20 ms", "0.22 ×", "≤ 25 ms", ""],
  ]);
  expect(resultsOf(REPORT, { ...REPORT, commit: "old" })).toContain("Before: old, 2026-01-01");
  expect(resultsOf(REPORT)).not.toContain("Before and after");
});

test("an aim is for the median, or for the ratio if it is in ×; what misses it is marked", () => {
  expect(aimOf(GAP)).toBe("≤ 25 ms");
  expect(aimOf({ ...GAP, wisp: [26] })).toBe("≤ 25 ms: **missed**");
  expect(isMissed({ ...GAP, aim: "≤ 6 ×" })).toBe(true);
  expect(isMissed({ ...GAP, aim: "≤ 7 ×" })).toBe(false);
  expect(isMissed({ ...GAP, aim: "≤ 1.10 ×", unit: "×", wisp: [1.2] })).toBe(true);
  expect(isMissed({ ...GAP, aim: "flat" })).toBeUndefined();
  expect(isMissed({ ...GAP, wisp: [] })).toBeUndefined();
});

const CURVE = [
  ...asPoints(
    [
      { ...GAP, metric: "10 lines: start" },
      { ...GAP, metric: "10 lines: end", wisp: [4] },
    ],
    { curve: "Lines", of: "lines", at: 10 },
  ),
  ...asPoints([{ ...GAP, metric: "1,000 lines: start", wisp: [30], note: "given up" }], {
    curve: "Lines",
    of: "lines",
    at: 1000,
  }),
];

test("a curve has a line for each point, each figure with its ratio to that of the first point", () => {
  const [heading, table = ""] = curvesOf([GAP, ...CURVE]);
  expect(heading).toBe("### Lines");
  const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells[0]?.slice(1, -1)).toEqual([
    "lines",
    "start (aim: ≤ 25 ms)",
    "end (aim: ≤ 25 ms)",
    "what limits it",
  ]);
  expect(cells[2]?.slice(1, -1)).toEqual(["10", "20 ms", "4 ms", "fsync"]);
  expect(cells[3]?.slice(1, -1)).toEqual([
    "1,000",
    "30 ms (1.50 ×) **missed**",
    "not measured",
    "given up; fsync",
  ]);
});

test("curves of another run stand in the results with what that run depends on, not in the table", () => {
  const other = { ...REPORT, commit: "curved", date: "2026-02-02", rows: CURVE };
  const text = resultsOf({ ...REPORT, curves: [other] });
  expect(text).toContain("### Lines");
  expect(text).toContain("curved");
  expect(text).toContain("2026-02-02");
  expect(resultsOf({ ...REPORT, rows: [GAP, ...CURVE] })).not.toContain("| 10 lines: start");
});

test("results that are written anew keep the section about a cluster as it is, once, and nothing else", () => {
  const written = documentOf("bench/RESULTS.md");
  const kept = keptOf(written);
  expect(kept.map((section) => section.split("\n")[0])).toEqual([
    "## Thirty sessions on a cluster",
  ]);
  expect(written.endsWith(`${kept.join("")}\n`)).toBe(true);
  const anew = resultsOf(REPORT, undefined, kept);
  expect(anew).toContain(kept.join(""));
  expect(keptOf(anew)).toEqual(kept);
  expect(keptOf(resultsOf(REPORT))).toEqual([]);
});
