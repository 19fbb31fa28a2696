// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { cpuMs, memoryMb, nowMs, processesWith } from "../proc.js";
import { sum } from "../statistics.js";

const CURVE = [1, 2, 5, 10, 20, 50];
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
  const rows = [];
  const windowMs = isQuick ? QUICK_WINDOW_MS : WINDOW_MS;
  for (const count of pointsOf(CURVE)) {
    const places = Array.from({ length: count }, () =>
      workspace.place({ BENCH_PLAN: planOf(1, 1), BENCH_BLOCK: "plan" }),
    );
    const beganMs = nowMs();
    for (const place of places) place.startWisp("start", "request.md", "--detach");
    const isReady = await areWaiting(places, WAIT_MS_MAX);
    const startedMs = Math.max(...places.map((place) => place.turns()[0]?.beganMs ?? nowMs()));
    const title = count === 1 ? "1 session" : `${count} sessions at once`;
    const ready = places.filter((place) => place.turns().length > 0).length;
    rows.push({
      metric: `${title}: command → all engines run`,
      unit: "ms",
      wisp: [startedMs - beganMs],
      limit: [],
      aim: "50 sessions",
      bound: "CPU: each session starts six processes of Node",
      ...(isReady ? {} : { note: `given up: ${ready} of ${count} engines ran` }),
    });
    if (isReady) rows.push(...(await costs(title, places, isQuick ? 0 : SETTLE_MS, windowMs)));
    await Promise.all(places.map((place) => place.killAll()));
    if (!isReady) break;
  }
  return rows;
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
      bound: "five heaps of Node a session",
    },
    { ...row, metric: `${title}: idle CPU`, unit: "ms/s", wisp: [idle] },
  ];
}
