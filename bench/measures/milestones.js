// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { between, lookAt, rolesOf } from "../milestone-looks.js";
import { planOf } from "../plan.js";
import { nowMs } from "../proc.js";
import { asPoints } from "../row.js";

const CURVE = [10, 50, 200, 1_000, 5_000];
const CURVE_OF = { curve: "Plans of more and more milestones", of: "milestones" };
const POINT_MS_MAX = 180_000;
const LOOK_MS = 200;
/** How many at the begin and at the end are compared. */
const ENDS = 10;

/** @typedef {import("../milestone-looks.js").Look} Look */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * Plans of more and more milestones, a task each, which come with the request: what the first and the last ones
 * that were built cost the roles themselves, without git, verify and engines. A point that takes too long is cut
 * where it is, which is said.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function milestones({ workspace, pointsOf }) {
  /** @type {Row[]} */
  const rows = [];
  for (const count of pointsOf(CURVE)) {
    process.stderr.write(`  ${count} milestones\n`);
    // The final test does not end, so that the roles are still there when the last milestone is seen.
    const place = workspace.place({ BENCH_BLOCK: "final-test" });
    place.write("request.md", planOf(count, 1));
    const command = place.startWisp("start", "request.md", "--detach");
    const { code, stderr } = await command.ended;
    const title = `plan of ${count.toLocaleString("en-US")} milestones`;
    if (code !== 0) {
      rows.push(...asPoints([refused(title, stderr)], { ...CURVE_OF, at: count }));
      break;
    }
    const measured = rowsOf(title, count, await watchMilestones(place, count));
    rows.push(...asPoints(measured, { ...CURVE_OF, at: count }));
    await place.killAll();
    place.remove();
  }
  return rows;
}

/**
 * @param {string} title
 * @param {string} stderr
 * @returns {Row}
 */
function refused(title, stderr) {
  const why = stderr.trim().split("\n").at(-1) ?? "";
  return {
    metric: `${title}: the roles' own CPU of each of the last ones`,
    unit: "ms",
    wisp: [],
    limit: [],
    aim: "flat, ≤ 20 ms",
    note: `refused: ${why.slice(0, 100)}`,
  };
}

/**
 * Looks at the session until all its milestones are built, or the time is up.
 * @param {Place} place
 * @param {number} count
 */
async function watchMilestones(place, count) {
  const endMs = nowMs() + POINT_MS_MAX;
  /** @type {Look[]} */
  const looks = [];
  let peakMb = 0;
  for (let done = 0; done < count && nowMs() < endMs; await sleep(LOOK_MS)) {
    const look = lookAt(place);
    if (look === undefined) continue;
    done = look.done;
    if (done !== looks.at(-1)?.done) looks.push(look);
    peakMb = Math.max(peakMb, look.largestMb);
  }
  return { looks, peakMb };
}

/**
 * @param {string} title
 * @param {number} count
 * @param {{ readonly looks: readonly Look[], readonly peakMb: number }} watched
 * @returns {readonly Row[]}
 */
function rowsOf(title, count, { looks, peakMb }) {
  const last = looks.at(-1);
  const done = last?.done ?? 0;
  const first = between(looks, 0, Math.min(ENDS, done / 2));
  const latest = between(looks, Math.max(done - ENDS, done / 2), done);
  const cut = done < count ? { note: `given up after ${done}` } : {};
  const row = /** @type {const} */ ({ unit: "ms", limitName: "the first ones of the same plan" });
  return [
    {
      ...row,
      ...cut,
      metric: `${title}: the roles' own CPU of each of the last ones`,
      wisp: [latest.cpuMs],
      limit: [first.cpuMs],
      aim: "flat, ≤ 20 ms",
      bound: rolesOf(latest),
    },
    {
      ...row,
      ...cut,
      metric: `${title}: time of each of the last ones`,
      wisp: [latest.ms],
      limit: [first.ms],
      aim: "flat",
    },
    {
      ...cut,
      metric: `${title}: the same CPU, last against first ones`,
      unit: "×",
      wisp: [latest.cpuMs / first.cpuMs],
      limit: [],
      aim: "flat",
    },
    {
      ...cut,
      metric: `${title}: time, last against first ones`,
      unit: "×",
      wisp: [latest.ms / first.ms],
      limit: [],
      aim: "flat",
    },
    { metric: `${title}: largest role`, unit: "MB", wisp: [peakMb], limit: [], aim: "flat" },
  ];
}
