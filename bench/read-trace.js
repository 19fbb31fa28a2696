// @ts-check
// Where wisp's own time went, per unit: `node bench/read-trace.js FILE` reads what `wisp start --trace FILE` wrote.
import { readFileSync } from "node:fs";
import { byStart, readTrace } from "./trace.js";

/** @typedef {import("./trace.js").Span} Span */

/**
 * The columns, with the categories of their spans, in the order in which time is given to them: while an engine runs,
 * time is the engine's, even if git runs at the same time. What is left is wisp's own computing and waiting.
 * @type {readonly (readonly [string, readonly string[]])[]}
 */
const COLUMNS = [
  ["engine", ["engine"]],
  ["commands", ["command"]],
  ["git", ["git"]],
  ["fsync", ["append", "write"]],
  ["locks", ["lock"]],
  ["sweep", ["sweep"]],
  ["runs", ["run"]],
];
const UNIT_COLUMNS = ["total", ...COLUMNS.map(([column]) => column), "rest"];

/**
 * Times in microseconds by column; `process` and `what` name the row.
 * @typedef {{ process: string, what: string, times: Readonly<Record<string, number>> }} Row
 */

/**
 * How long at least one of these spans was open.
 * @param {readonly Span[]} spans
 */
function lengthOf(spans) {
  let [length, end] = [0, 0];
  for (const span of [...spans].sort(byStart)) {
    const spanEnd = span.ts + span.dur;
    length += Math.max(0, spanEnd - Math.max(end, span.ts));
    end = Math.max(end, spanEnd);
  }
  return length;
}

/**
 * The time of a unit by column: each microsecond is counted once.
 * @param {Span} unit
 * @param {readonly Span[]} within
 */
function split(unit, within) {
  /** @type {Record<string, number>} */
  const times = { total: unit.dur };
  /** @type {Span[]} */
  let counted = [];
  for (const [column, categories] of COLUMNS) {
    const before = lengthOf(counted);
    counted = [...counted, ...within.filter(({ cat }) => categories.includes(cat))];
    times[column] = lengthOf(counted) - before;
  }
  return { ...times, rest: unit.dur - lengthOf(counted) };
}

/**
 * The spans of one process: those within each of its units, which are apart, and all others.
 * @param {readonly Span[]} spans
 */
function byUnit(spans) {
  const units = spans.filter(({ cat }) => cat === "unit").sort(byStart);
  /** @type {{ unit: Span, within: Span[] }[]} */
  const groups = units.map((unit) => ({ unit, within: [] }));
  /** @type {Span[]} */
  const others = [];
  let at = 0;
  for (const span of [...spans].sort(byStart)) {
    while ((groups[at + 1]?.unit.ts ?? Infinity) <= span.ts) at += 1;
    const group = groups.at(at);
    const isIn = group && span.ts >= group.unit.ts && span.ts < group.unit.ts + group.unit.dur;
    if (group && isIn) group.within.push(span);
    else others.push(span);
  }
  return { groups, others };
}

/**
 * Rows for the units of a trace, in the order of their begins, and for what its processes did outside units.
 * @param {ReturnType<typeof readTrace>} processes
 */
function rowsOf(processes) {
  /** @type {(Row & { ts: number })[]} */
  const units = [];
  /** @type {Row[]} */
  const outside = [];
  for (const { name: process, spans: own } of processes) {
    const { groups, others } = byUnit(own);
    for (const { unit, within } of groups) {
      units.push({ process, what: unit.name, ts: unit.ts, times: split(unit, within) });
    }
    for (const what of ["start", "read", "step", "wait"]) {
      const total = lengthOf(others.filter(({ cat }) => cat === what));
      if (total > 0) outside.push({ process, what, times: { total } });
    }
  }
  return { units: units.sort((one, other) => one.ts - other.ts), outside };
}

/**
 * @param {readonly Row[]} rows
 * @returns {Row}
 */
function totalOf(rows) {
  const sums = UNIT_COLUMNS.map((column) => [
    column,
    rows.reduce((all, { times }) => all + (times[column] ?? 0), 0),
  ]);
  return { process: "all units", what: "", times: Object.fromEntries(sums) };
}

const WHAT_CHARS_MAX = 44;

/**
 * Printable ASCII of a name from the trace, which may hold anything.
 * @param {string} text
 */
function shown(text) {
  const clean = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return clean.length > WHAT_CHARS_MAX ? `${clean.slice(0, WHAT_CHARS_MAX - 3)}...` : clean;
}

/**
 * A table with a header; times in milliseconds.
 * @param {readonly Row[]} rows
 * @param {readonly string[]} columns
 */
function table(rows, columns) {
  const cells = rows.map(({ process, what, times }) => [
    shown(process),
    shown(what),
    ...columns.map((column) => ((times[column] ?? 0) / 1_000).toFixed(1)),
  ]);
  const header = ["process", "what", ...columns];
  const all = [header, ...cells];
  const widths = header.map((_, index) => Math.max(...all.map((line) => line[index]?.length ?? 0)));
  const lines = all.map((line) =>
    line.map((cell, index) =>
      index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    ),
  );
  return lines.map((line) => line.join("  ").trimEnd()).join("\n");
}

/** @param {readonly string[]} words */
function main([path]) {
  if (path === undefined) {
    console.error("usage: node bench/read-trace.js FILE");
    return 2;
  }
  const { units, outside } = rowsOf(readTrace(readFileSync(path, "utf8")));
  console.log(
    "Time of each unit in ms; each moment is counted once, in the first column that fits.\n",
  );
  console.log(table([...units, totalOf(units)], UNIT_COLUMNS));
  console.log("\nOutside units, in ms; the processes run at the same time.\n");
  console.log(table(outside, ["total"]));
  return 0;
}

process.exitCode = main(process.argv.slice(2));
