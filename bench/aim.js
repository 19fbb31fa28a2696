// @ts-check
import { median } from "./statistics.js";

/** @typedef {import("./row.js").Row} Row */

/**
 * How many times the limit; undefined where the limit is nothing.
 * @param {Row} row
 */
export function ratioOf({ wisp, limit }) {
  const ratio = median(wisp) / median(limit);
  return Number.isFinite(ratio) ? ratio : undefined;
}

/**
 * Whether the median misses what the aim says; undefined where the aim names no number, or nothing was measured.
 * An aim with × is one for the ratio, unless the row itself has that unit.
 * @param {Row} row
 */
export function isMissed(row) {
  const [, most, times] = /≤ ([\d.]+)( ×)?/.exec(row.aim) ?? [];
  const value = times !== undefined && row.unit !== "×" ? ratioOf(row) : median(row.wisp);
  if (most === undefined || value === undefined || Number.isNaN(value)) return undefined;
  return value > Number(most);
}

/**
 * The aim, and that it was missed.
 * @param {Row} row
 */
export function aimOf(row) {
  return isMissed(row) === true ? `${row.aim}: **missed**` : row.aim;
}
