// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { memoryMb, nowMs, ownCpuMs } from "../proc.js";

const CURVE = [10, 50, 200, 1_000, 5_000];
const POINT_MS_MAX = 240_000;
const LOOK_MS = 200;
/** How many at the begin and at the end are compared. */
const ENDS = 10;
const ROLES = ["planner", "builder", "reviewer", "tester"];

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */
/** @typedef {{ readonly done: number, readonly atMs: number, readonly cpuMs: number }} Look */

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
    const place = workspace.place();
    place.write("request.md", planOf(count, 1));
    const command = place.startWisp("start", "request.md", "--detach");
    const { code, stderr } = await command.ended;
    const title = `plan of ${count.toLocaleString("en-US")} milestones`;
    if (code !== 0) {
      rows.push(refused(title, stderr));
      break;
    }
    rows.push(...rowsOf(title, count, await watchMilestones(place, count)));
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
    metric: `${title}: CPU of a milestone`,
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
    const pids = ROLES.map((role) => place.pidOf(role));
    if (pids.includes(0)) continue;
    done = place.lineCount("logs/milestones.log");
    const cpuMs = pids.reduce((total, pid) => total + ownCpuMs(pid), 0);
    if (done !== looks.at(-1)?.done) looks.push({ done, atMs: nowMs(), cpuMs });
    peakMb = Math.max(peakMb, ...pids.map((pid) => memoryMb(pid).rss).filter(Number.isFinite));
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
      bound: "folding, and parsing what of the plan's text has changed",
    },
    {
      ...row,
      ...cut,
      metric: `${title}: time of each of the last ones`,
      wisp: [latest.ms],
      limit: [first.ms],
      aim: "flat",
      bound: "three engine turns and their gaps",
    },
    { metric: `${title}: largest role`, unit: "MB", wisp: [peakMb], limit: [], aim: "flat" },
  ];
}

/**
 * What one milestone took on average, from one number of finished ones to another.
 * @param {readonly Look[]} looks
 * @param {number} from
 * @param {number} to
 */
function between(looks, from, to) {
  const begin = looks.find(({ done }) => done >= from);
  const end = looks.find(({ done }) => done >= to);
  const count = (end?.done ?? NaN) - (begin?.done ?? NaN);
  return {
    ms: ((end?.atMs ?? NaN) - (begin?.atMs ?? NaN)) / count,
    cpuMs: ((end?.cpuMs ?? NaN) - (begin?.cpuMs ?? NaN)) / count,
  };
}
