// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { idleReason } from "../idle.js";
import { bareKills, isTest, killEach, superviseAnew } from "../kills.js";
import { cpuMs, kill, nowMs, processesOf } from "../proc.js";
import { sum } from "../statistics.js";
import { startTraced, traceOf } from "../traced.js";
import { reasonOf } from "../waiting-path.js";
import { loadedByRole, memoryRows } from "./waiting-memory.js";

/**
 * How long it is looked at. In each window every process takes at least one of its looks without a hint. V8
 * collects what work has left behind in several steps within half a minute after it; this has a row of its own.
 * Each role is killed once in a supervision, because a second crash in a row is answered after a pause.
 */
const LOOKS = {
  usual: { windows: 5, windowMs: 5_000, restMs: 30_000, settleMs: 3_000, supervisions: 3 },
  quick: { windows: 1, windowMs: 500, restMs: 500, settleMs: 200, supervisions: 1 },
};
const SECONDS_MAX = 200;
const PAUSED = {
  metric: "the same role again, after a pause of 500 ms → at work again",
  aim: "≤ 1000 ms",
  bound: "500 ms of pause, and what the row above says",
};

/** A terminal in which the screen is drawn. */
const SCREEN = { TERM: "xterm-256color", NO_COLOR: "" };

/** @typedef {import("../place.js").Place} Place */
/** @typedef {typeof LOOKS.usual} Looks */

/**
 * A session that waits: the tester's engine does not end. What the processes cost meanwhile, and how
 * soon a role that is killed is at work again.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function waiting({ workspace, isQuick, within, explain }) {
  const looks = isQuick ? LOOKS.quick : LOOKS.usual;
  const isTime = within(SECONDS_MAX);
  const place = await waitingSession(workspace);
  const bare = workspace.place({ BENCH_BLOCK: "test" });
  const loop = bare.startLoop("restart-loop.sh");
  await bare.until("the engine", () => bare.turns().length === 1);
  const settling = await cpuDuring(place, looks.restMs);
  const idle = await idleCpu(place, looks);
  const whyIdle = await idleReason(place, processesOf(place), looks);
  const bareIdle = await idleCpu(bare, { ...looks, windows: 1 });
  const withScreen = await screenRow(place, looks);
  const { rows, lines } = await memoryRows(place, await loadedByRole(workspace));
  explain("Processes of a session that waits", lines);
  const [again, paused, traced] = [newKills(), newKills(), newKills()];
  for (let round = 0; round < looks.supervisions && (round === 0 || isTime()); round++) {
    if (round > 0) await superviseAnew(place, looks.settleMs);
    await killEach(place, again);
    if (round === 0 && !isQuick) await killEach(place, paused);
  }
  await superviseAnew(place, looks.settleMs, startTraced);
  await killEach(place, traced);
  // What a process has traced is written within 0.2 s.
  await sleep(looks.settleMs);
  const trace = traceOf(place);
  const bareAgain = await bareKills(bare, loop.pid);
  await Promise.all([place.killAll(), bare.killAll()]);
  const row = /** @type {const} */ ({
    unit: "ms",
    limit: bareAgain,
    aim: "≤ 150 ms",
  });
  return [
    {
      metric: "idle CPU, all processes",
      unit: "ms/s",
      wisp: idle,
      limit: bareIdle,
      aim: "≤ 1 ms/s",
      best: "ralph-tui 23",
      bound: whyIdle,
    },
    {
      metric: `CPU of the first ${looks.restMs / 1000} s after work, all processes`,
      unit: "ms",
      wisp: [settling],
      limit: [],
      aim: "",
    },
    ...withScreen,
    ...rows,
    {
      ...row,
      metric: "kill -9 → the role at work again",
      wisp: lengthsOf(again.record),
      best: "proper-lockfile alone 9100",
      bound: reasonOf(trace, traced.record),
    },
    {
      ...row,
      metric: "kill -9 of the tester → its engine again",
      wisp: lengthsOf(again.engine),
      bound: reasonOf(trace, traced.engine),
    },
    ...(isQuick ? [] : [{ ...row, ...PAUSED, wisp: lengthsOf(paused.record) }]),
  ];
}

/** @returns {import("../kills.js").Kills} */
function newKills() {
  return { record: [], engine: [] };
}

/** @param {readonly import("../waiting-path.js").Interval[]} intervals */
function lengthsOf(intervals) {
  return intervals.map(({ fromMs, toMs }) => toMs - fromMs);
}

/** @param {import("../row.js").Context["workspace"]} workspace */
async function waitingSession(workspace) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, 1), BENCH_BLOCK: "test" });
  await place.startWisp("start", "request.md", "--detach").ended;
  const isReviewed = () => place.records("reviewer").some(({ line }) => / m=/.test(line));
  await place.until("the test", () => isReviewed() && place.turns().some(isTest));
  return place;
}

/**
 * Milliseconds of CPU per second, of all processes of a place, in several windows.
 * @param {Place} place
 * @param {Looks} looks
 */
async function idleCpu(place, { windows, windowMs }) {
  const samples = [];
  for (let window = 0; window < windows; window++) {
    const beganMs = nowMs();
    const used = await cpuDuring(place, windowMs);
    samples.push(used / ((nowMs() - beganMs) / 1000));
  }
  return samples;
}

/**
 * Milliseconds of CPU that all processes of a place use meanwhile.
 * @param {Place} place
 * @param {number} durationMs
 */
async function cpuDuring(place, durationMs) {
  const before = usedMs(place);
  await sleep(durationMs);
  return usedMs(place) - before;
}

/**
 * The same with the screen open in a terminal, which `script` makes.
 * @param {Place} place
 * @param {Looks} looks
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
async function screenRow(place, looks) {
  const command = `stty cols 120 rows 40; exec "${process.execPath}" "${place.wisp}" up`;
  const screen = place.start("script", ["-qfec", command, `${place.directory}/screen`], SCREEN);
  await place.until("the screen", () => holds(`${place.directory}/screen`, "tester"));
  await sleep(looks.restMs);
  const withScreen = await idleCpu(place, looks);
  if (!processesOf(place).some(({ line }) => line.endsWith(`${place.wisp} up`))) {
    throw new Error("the screen was not open");
  }
  const bound = await idleReason(place, processesOf(place), looks);
  kill(screen.pid);
  return [
    {
      metric: "idle CPU, with the screen open",
      unit: "ms/s",
      wisp: withScreen,
      limit: [],
      aim: "≤ 1 ms/s",
      best: "ralph-tui 23",
      bound,
    },
  ];
}

/**
 * @param {string} path
 * @param {string} text
 */
function holds(path, text) {
  return existsSync(path) && readFileSync(path, "utf8").includes(text);
}

/** @param {Place} place */
function usedMs(place) {
  return sum(processesOf(place).map(({ pid }) => cpuMs(pid)));
}
