// @ts-check
import { aimOf, ratioOf } from "./aim.js";
import { median } from "./statistics.js";

/** @typedef {import("./row.js").Row} Row */

const HEADER = ["metric", "wisp", "limit, same run", "ratio", "aim", "peers' best (reference)"];

/**
 * The rows as a table in Markdown: medians, with the least and the greatest in parentheses.
 * @param {readonly Row[]} rows
 */
export function tableOf(rows) {
  return markdownTable([HEADER, ...rows.map(cellsOf)]);
}

/**
 * What limits each row, as a table; rows of one measure that share it stand together.
 * @param {readonly Row[]} rows
 */
export function limitsOf(rows) {
  /** @type {Map<string, { metrics: Set<string>, aims: Set<string> }>} */
  const bounds = new Map();
  for (const row of rows) {
    if (row.bound === undefined) continue;
    const known = bounds.get(row.bound) ?? { metrics: new Set(), aims: new Set() };
    known.metrics.add(row.metric);
    if (row.aim !== "") known.aims.add(aimOf(row));
    bounds.set(row.bound, known);
  }
  const cells = [...bounds].map(([bound, { metrics, aims }]) => [
    [...metrics].join("; "),
    [...aims].join("; "),
    bound,
  ]);
  return markdownTable([["metric", "aim", "what limits it"], ...cells]);
}

/**
 * The rows that both runs measured, with the medians of both and how they relate.
 * @param {readonly Row[]} before
 * @param {readonly Row[]} after
 */
export function changesOf(before, after) {
  const earlier = new Map(before.map((row) => [keyOf(row), row]));
  const cells = after.flatMap((row) => {
    const other = earlier.get(keyOf(row));
    if (other === undefined || other.wisp.length === 0 || row.wisp.length === 0) return [];
    const [was, is] = [median(other.wisp), median(row.wisp)];
    const change = was > 0 ? `${short(is / was)} ×` : "";
    const { unit, metric, aim } = row;
    return [[metric, `${short(was)} ${unit}`.trim(), `${short(is)} ${unit}`.trim(), change, aim]];
  });
  const unique = cells.filter(
    ([metric], at) => cells.findIndex(([other]) => other === metric) === at,
  );
  return markdownTable([["metric", "before", "after", "after / before", "aim"], ...unique]);
}

/** @param {Row} row */
function keyOf({ metric, unit }) {
  return `${metric} ${unit}`;
}

/**
 * A table in Markdown, its columns aligned.
 * @param {readonly (readonly string[])[]} cells with the header
 */
export function markdownTable(cells) {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/**
 * @param {Row} row
 * @returns {readonly string[]}
 */
function cellsOf(row) {
  const { metric, unit, wisp, limit, limitName = "bare bash loop", best = "", note } = row;
  const ratio = ratioOf(row);
  const limitText = limit.length === 0 ? "" : `${spread(limit, unit)}, ${limitName}`;
  return [
    metric,
    spread(wisp, unit),
    [limitText, note ?? ""].filter((text) => text !== "").join("; "),
    ratio === undefined ? "" : `${short(ratio)} ×`,
    aimOf(row),
    best,
  ];
}

/**
 * @param {readonly number[]} values
 * @param {string} unit
 */
function spread(values, unit) {
  if (values.length === 0) return "not measured";
  const middle = `${short(median(values))} ${unit}`.trim();
  if (values.length === 1) return middle;
  return `${middle} (${short(Math.min(...values))}–${short(Math.max(...values))})`;
}

/**
 * A figure with three digits or so.
 * @param {number} value
 */
export function short(value) {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
