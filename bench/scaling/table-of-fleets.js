// @ts-check
import { RESOURCES, sessionsUntil } from "./resources.js";
import { simulate } from "./simulate.js";

/** The sessions of the table, and the machines on which they run. */
const SESSIONS = [10, 100, 1_000, 10_000];
const MACHINES = 50;

/** @param {number} share */
function percentOf(share) {
  const percent = 100 * share;
  return `${percent < 10 ? percent.toFixed(1) : shown(percent)} %`;
}

/** Written for people. @param {number} number */
function shown(number) {
  return Math.round(number).toLocaleString("en");
}

/**
 * The table of the simulation, as lines of Markdown: what is used of each resource, in percent of its limit, with how
 * many sessions it is used up, and what is used up first.
 * @returns {readonly string[]}
 */
export function tableOfFleets() {
  const fleets = SESSIONS.map((sessions) => ({ sessions, machines: MACHINES }));
  const walls = RESOURCES.map((resource) => ({
    resource,
    until: sessionsUntil(resource, { machines: MACHINES }),
    shares: fleets.map((fleet) => resource.used(fleet) / resource.limit),
  })).toSorted((one, other) => one.until - other.until);
  const firsts = (/** @type {boolean} */ onlyHard) =>
    fleets.map((_, at) => {
      const out = walls.find(({ resource, shares }) => {
        return (resource.isHard || !onlyHard) && (shares[at] ?? 0) > 1;
      });
      return out?.resource.name ?? "none";
    });
  const turns = fleets.map((fleet) => shown(simulate(fleet).turnsAtOnce));
  return gridOf([
    ["", "limit", ...SESSIONS.map(shown), "used up after", "then"],
    ...walls.map(({ resource: { name, unit, limit, isHard }, until, shares }) => [
      name,
      `${shown(limit)}${unit === "" ? "" : ` ${unit}`}`,
      ...shares.map((share) => percentOf(share)),
      shown(until),
      isHard ? "fails" : "slower",
    ]),
    ["turns at once", "the account's", ...turns, "", "a queue"],
    ["**used up first**", "", ...firsts(false), "", ""],
    ["**the first that fails**", "", ...firsts(true), "", ""],
  ]);
}

/** @param {readonly (readonly string[])[]} rows @returns {readonly string[]} */
function gridOf(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lineOf = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...rest] = rows;
  return [head, widths.map((width) => "-".repeat(width)), ...rest].map(lineOf);
}
