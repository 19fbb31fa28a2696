// @ts-check
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
  /** @type {Map<string, Set<string>>} */
  const metrics = new Map();
  for (const { metric, bound } of rows) {
    if (bound !== undefined) metrics.set(bound, (metrics.get(bound) ?? new Set()).add(metric));
  }
  const cells = [...metrics].map(([bound, names]) => [[...names].join("; "), bound]);
  return markdownTable([["metric", "what limits it"], ...cells]);
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

/** @param {readonly (readonly string[])[]} cells with the header */
function markdownTable(cells) {
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
 * How many times the limit; undefined where the limit is nothing.
 * @param {Row} row
 */
export function ratioOf({ wisp, limit }) {
  const ratio = median(wisp) / median(limit);
  return Number.isFinite(ratio) ? ratio : undefined;
}

/**
 * @param {Row} row
 * @returns {readonly string[]}
 */
function cellsOf(row) {
  const { metric, unit, wisp, limit, limitName = "bare bash loop", aim, best = "", note } = row;
  const ratio = ratioOf(row);
  const limitText = limit.length === 0 ? "" : `${spread(limit, unit)}, ${limitName}`;
  return [
    metric,
    spread(wisp, unit),
    [limitText, note ?? ""].filter((text) => text !== "").join("; "),
    ratio === undefined ? "" : `${short(ratio)} ×`,
    aim,
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

/** @param {number} value */
function short(value) {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
