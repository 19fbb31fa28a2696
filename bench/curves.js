// @ts-check
import { aimOf } from "./aim.js";
import { markdownTable, short } from "./table.js";
import { median } from "./statistics.js";

/** @typedef {import("./row.js").Row} Row */
/** @typedef {import("./row.js").Point} Point */
/** @typedef {Row & { readonly point: Point }} PointRow */

/**
 * The rows that are no points of a curve.
 * @param {readonly Row[]} rows
 */
export function withoutPoints(rows) {
  return rows.filter(({ point }) => point === undefined);
}

/**
 * Each curve that rows are points of, as a heading with a small table: a line for each point, a column for each
 * figure, with its ratio to that of the first point that has it.
 * @param {readonly Row[]} rows
 * @returns {readonly string[]}
 */
export function curvesOf(rows) {
  /** @type {Map<string, PointRow[]>} */
  const curves = new Map();
  for (const row of rows) {
    if (row.point === undefined) continue;
    const { curve } = row.point;
    curves.set(curve, [...(curves.get(curve) ?? []), { ...row, point: row.point }]);
  }
  return [...curves].flatMap(([curve, points]) => [`### ${curve}`, curveTable(points)]);
}

/** @param {readonly PointRow[]} rows of one curve */
function curveTable(rows) {
  const figures = [...new Set(rows.map(({ point }) => point.figure))];
  const places = [...new Set(rows.map(({ point }) => point.at))];
  const of = (/** @type {string} */ figure, /** @type {number} */ at) =>
    rows.find(({ point }) => point.figure === figure && point.at === at);
  const firsts = new Map(
    figures.map((figure) => [
      figure,
      rows.find(({ point, wisp }) => point.figure === figure && wisp.length > 0),
    ]),
  );
  const lines = places.map((at) => [
    at.toLocaleString("en-US"),
    ...figures.map((figure) => cell(of(figure, at), firsts.get(figure))),
    remarks(rows.filter(({ point }) => point.at === at)),
  ]);
  const heads = figures.map((figure) => {
    const aim = rows.find(({ point }) => point.figure === figure)?.aim ?? "";
    return aim === "" ? figure : `${figure} (aim: ${aim})`;
  });
  return markdownTable([[rows[0]?.point.of ?? "", ...heads, "what limits it"], ...lines]);
}

/**
 * @param {PointRow | undefined} row
 * @param {PointRow | undefined} first
 */
function cell(row, first) {
  if (row === undefined || row.wisp.length === 0) return "not measured";
  const figure = `${short(median(row.wisp))} ${row.unit}`.trim();
  const ratio = median(row.wisp) / median(first?.wisp ?? []);
  const isRelated = row !== first && Number.isFinite(ratio);
  const missed = aimOf(row) === row.aim ? "" : " **missed**";
  return `${figure}${isRelated ? ` (${short(ratio)} ×)` : ""}${missed}`;
}

/**
 * What is to be said of a point: why it was given up, and what was measured of its parts.
 * @param {readonly PointRow[]} rows
 */
function remarks(rows) {
  const all = rows.flatMap(({ note, bound }) => [note ?? "", bound ?? ""]);
  return [...new Set(all.filter((text) => text !== ""))].join("; ");
}
