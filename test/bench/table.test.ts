import { expect, test } from "vitest";
import { resultsOf, textOf } from "../../bench/report.js";
import { changesOf, limitsOf, ratioOf, tableOf } from "../../bench/table.js";

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
  expect(lines[2]).toMatch(/^\| gap; tail +\| fsync +\|$/);
  expect(lines[3]).toMatch(/^\| gap +\| Node +\|$/);
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
