// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { cpuMs, machineUse, memoryMb, nowMs, processesWith } from "../proc.js";
import { asPoints } from "../row.js";
import { sum } from "../statistics.js";

const CURVE = [1, 2, 5, 10, 20, 50];
const CURVE_OF = { curve: "Sessions at once", of: "sessions" };
const WAIT_MS_MAX = 180_000;
const SETTLE_MS = 5_000;
const WINDOW_MS = 10_000;
const QUICK_WINDOW_MS = 500;

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * More and more sessions at once, in a repository each, all started together; the planner's engine waits in each.
 * A point whose engines do not all run in time is given up, and larger ones are not begun.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function sessions({ workspace, isQuick, pointsOf }) {
  /** @type {Row[]} */
  const all = [];
  const windowMs = isQuick ? QUICK_WINDOW_MS : WINDOW_MS;
  for (const count of pointsOf(CURVE)) {
    process.stderr.write(`  ${count} at once\n`);
    const places = Array.from({ length: count }, () =>
      workspace.place({ BENCH_PLAN: planOf(1, 1), BENCH_BLOCK: "plan" }),
    );
    const beganMs = nowMs();
    const before = machineUse();
    for (const place of places) place.startWisp("start", "request.md", "--detach");
    const isReady = await areWaiting(places, WAIT_MS_MAX);
    const startedMs = Math.max(...places.map((place) => place.turns()[0]?.beganMs ?? nowMs()));
    const wall = wallOf(before, machineUse(), count);
    const title = count === 1 ? "1 session" : `${count} sessions at once`;
    const ready = places.filter((place) => place.turns().length > 0).length;
    /** @type {Row[]} */
    const rows = [];
    rows.push({
      metric: `${title}: command → all engines run`,
      unit: "ms",
      wisp: [startedMs - beganMs],
      limit: [],
      aim: "50 sessions",
      bound: wall,
      ...(isReady ? {} : { note: `given up: ${ready} of ${count} engines ran` }),
    });
    if (isReady) rows.push(...(await costs(title, places, isQuick ? 0 : SETTLE_MS, windowMs)));
    all.push(...asPoints(rows, { ...CURVE_OF, at: count }));
    await Promise.all(places.map((place) => place.killAll()));
    if (!isReady) break;
  }
  return all;
}

/**
 * What a run met, in words: how busy the processors were from the commands until the last engine, and what memory is
 * left.
 * @param {ReturnType<typeof machineUse>} before
 * @param {ReturnType<typeof machineUse>} after
 * @param {number} count
 */
function wallOf(before, after, count) {
  const [busyMs, wholeMs] = [after.busyMs - before.busyMs, after.wholeMs - before.wholeMs];
  return [
    `processors ${((100 * busyMs) / wholeMs).toFixed(0)} % busy`,
    `${(busyMs / count).toFixed(0)} ms of CPU a session`,
    `${after.availableMb.toFixed(0)} MB of memory left`,
  ].join(", ");
}

/**
 * @param {readonly Place[]} places
 * @param {number} waitMsMax
 */
async function areWaiting(places, waitMsMax) {
  const endMs = nowMs() + waitMsMax;
  for (const place of places) {
    const leftMs = Math.max(0, endMs - nowMs());
    const hasBegun = place.until("the engine", () => place.turns().length > 0, leftMs);
    if (!(await hasBegun.then(() => true).catch(() => false))) return false;
  }
  return true;
}

/**
 * @param {string} title
 * @param {readonly Place[]} places
 * @param {number} settleMs
 * @param {number} windowMs
 * @returns {Promise<readonly Row[]>}
 */
async function costs(title, places, settleMs, windowMs) {
  await sleep(settleMs);
  const root = `WISP_BENCH_ROOT=${places[0]?.env["WISP_BENCH_ROOT"] ?? ""}`;
  const pids = processesWith(root).map(({ pid }) => pid);
  const used = () => sum(pids.map(cpuMs));
  const before = { ms: used(), atMs: nowMs() };
  await sleep(windowMs);
  const idle = (used() - before.ms) / ((nowMs() - before.atMs) / 1000);
  const pss = sum(pids.map((pid) => memoryMb(pid).pss).filter((mb) => !Number.isNaN(mb)));
  const row = /** @type {const} */ ({ limit: [], aim: "" });
  return [
    { ...row, metric: `${title}: processes`, unit: "", wisp: [pids.length] },
    {
      ...row,
      metric: `${title}: memory, PSS`,
      unit: "MB",
      wisp: [pss],
      bound: `${(pss / places.length).toFixed(0)} MB a session, in ${(pids.length / places.length).toFixed(0)} processes`,
    },
    { ...row, metric: `${title}: idle CPU`, unit: "ms/s", wisp: [idle] },
  ];
}
