// @ts-check
import { tableOfFleets } from "../scaling/table-of-fleets.js";

/**
 * Ten thousand sessions on paper: what the simulation of `scaling/` says, from constants that were measured before.
 * It measures nothing, so it has no rows.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function tenThousand({ explain }) {
  explain("Ten thousand sessions, simulated", tableOfFleets());
  return [];
}
