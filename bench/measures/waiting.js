// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { cpuMs, kill, memoryMb, nowMs, processesWith } from "../proc.js";
import { median, sum } from "../statistics.js";

/**
 * How long it is looked at. In each window every process takes at least one of its looks without a hint. V8
 * collects what work has left behind in several steps within half a minute after it; this has a row of its own.
 * Each role is killed once in a supervision, because a second crash in a row is answered after a pause.
 */
const LOOKS = {
  usual: { windows: 5, windowMs: 5_000, restMs: 30_000, settleMs: 3_000, supervisions: 3 },
  quick: { windows: 1, windowMs: 500, restMs: 500, settleMs: 200, supervisions: 1 },
};
const SECONDS_MAX = 150;
const ROLES = ["planner", "builder", "reviewer", "tester"];

const PAUSED = {
  metric: "the same role again, after a pause of 500 ms → at work again",
  aim: "≤ 1000 ms",
  bound: "the pause itself",
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
  const bareIdle = await idleCpu(bare, { ...looks, windows: 1 });
  const withScreen = await screenRow(place, looks);
  const { rows, lines } = await memoryRows(place);
  explain("Processes of a session that waits", lines);
  const again = { record: [], engine: [] };
  const paused = { record: [], engine: [] };
  for (let round = 0; round < looks.supervisions && (round === 0 || isTime()); round++) {
    if (round > 0) await superviseAnew(place, looks.settleMs);
    await killEach(place, again);
    if (round === 0 && !isQuick) await killEach(place, paused);
  }
  const bareAgain = await bareKills(bare, loop.pid);
  await Promise.all([place.killAll(), bare.killAll()]);
  const row = /** @type {const} */ ({
    unit: "ms",
    limit: bareAgain,
    aim: "≤ 150 ms",
    bound: "the supervisor's notice of the end, a start of Node, the fold of the logs",
  });
  return [
    {
      metric: "idle CPU, all processes",
      unit: "ms/s",
      wisp: idle,
      limit: bareIdle,
      aim: "≤ 1 ms/s",
      best: "ralph-tui 23",
      bound: "looks without a hint at the logs, every 5 s in each of five processes",
    },
    {
      metric: `CPU of the first ${looks.restMs / 1000} s after work, all processes`,
      unit: "ms",
      wisp: [settling],
      limit: [],
      aim: "",
      bound: "V8's collections of what the work left behind, once; without them, 80 MB more",
    },
    ...withScreen,
    ...rows,
    {
      ...row,
      metric: "kill -9 → the role at work again",
      wisp: again.record,
      best: "proper-lockfile alone 9100",
    },
    { ...row, metric: "kill -9 of the tester → its engine again", wisp: again.engine },
    ...(isQuick ? [] : [{ ...row, ...PAUSED, wisp: paused.record }]),
  ];
}

/** @param {import("../row.js").Context["workspace"]} workspace */
async function waitingSession(workspace) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, 1), BENCH_BLOCK: "test" });
  await place.startWisp("start", "request.md", "--detach").ended;
  const isReviewed = () => place.records("reviewer").some(({ line }) => / m=/.test(line));
  await place.until("the test", () => isReviewed() && place.turns().some(isTest));
  return place;
}

/** @param {{ readonly purpose: string }} turn */
function isTest({ purpose }) {
  return purpose === "test";
}

/** @param {Place} place */
function processesOf(place) {
  return processesWith(`BENCH_TIMES=${place.times}`);
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
  kill(screen.pid);
  return [
    {
      metric: "idle CPU, with the screen open",
      unit: "ms/s",
      wisp: withScreen,
      limit: [],
      aim: "≤ 1 ms/s",
      best: "ralph-tui 23",
      bound:
        "looks at locks and logs, each second and every 5 s; nothing is drawn until it changes",
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

/** @param {Place} place */
async function memoryRows(place) {
  const node = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1e9)"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(node.stdout, "data");
  const one = memoryMb(node.pid ?? 0);
  node.kill();
  const all = processesOf(place);
  const ours = all.filter(({ line }) => line.includes(place.wisp));
  const used = ours.map(({ pid }) => memoryMb(pid));
  // What is not their own they share: the text of Node, once for all of them.
  const alone =
    sum(used.map(({ own }) => own)) + Math.max(...used.map(({ rss, own }) => rss - own));
  const row = /** @type {const} */ ({ unit: "MB", limitName: "one bare Node" });
  /** @type {import("../row.js").Row[]} */
  const rows = [
    {
      ...row,
      metric: "memory of supervisor and roles, PSS",
      wisp: [sum(used.map(({ pss }) => pss))],
      limit: [one.pss],
      aim: "≤ 170 MB",
      bound: "five processes of Node, each with its own heap",
      best: "one process: ralphy 79, ralph-tui 86",
    },
    {
      ...row,
      metric: "the same if nothing else ran Node",
      wisp: [alone],
      limit: [one.rss],
      aim: "≤ 170 MB (4.2 ×)",
    },
    { metric: "processes of the session", unit: "", wisp: [all.length], limit: [2], aim: "" },
  ];
  const lines = ours.map(({ line }, at) => {
    const { rss = NaN, pss = NaN, own = NaN } = used[at] ?? {};
    const [words] = line.split(place.wisp).slice(1);
    return `${(words ?? "").trim().padEnd(28)} RSS ${rss.toFixed(1)}  PSS ${pss.toFixed(1)}  own ${own.toFixed(1)} MB`;
  });
  return { rows, lines };
}

/**
 * Kills everything, and has another supervisor start the roles: it remembers no crash.
 * @param {Place} place
 * @param {number} settleMs
 */
async function superviseAnew(place, settleMs) {
  await place.killAll();
  const before = ROLES.map((role) => startsOf(place, role).length);
  const tests = place.turns().filter(isTest).length;
  await place.startWisp("up", "--detach").ended;
  const isBack = () =>
    ROLES.every((role, at) => startsOf(place, role).length > (before[at] ?? 0)) &&
    place.turns().filter(isTest).length > tests;
  await place.until("the roles", isBack);
  await sleep(settleMs);
}

/**
 * @param {Place} place
 * @param {string} role
 */
function startsOf(place, role) {
  return place.records(role).filter(({ kind }) => kind === "role.start");
}

/**
 * Kills each role once, and waits for the first record of its successor.
 * @param {Place} place
 * @param {{ readonly record: number[], readonly engine: number[] }} again
 */
async function killEach(place, again) {
  for (const role of ROLES) {
    const count = startsOf(place, role).length;
    const tests = place.turns().filter(isTest).length;
    const killedMs = nowMs();
    kill(place.pidOf(role));
    await place.until(`the next ${role}`, () => startsOf(place, role).length > count);
    again.record.push((startsOf(place, role)[count]?.timeMs ?? NaN) - killedMs);
    if (role !== "tester") continue;
    await place.until("its engine", () => place.turns().filter(isTest).length > tests);
    again.engine.push((place.turns().filter(isTest)[tests]?.beganMs ?? NaN) - killedMs);
  }
}

/**
 * @param {Place} bare
 * @param {number} loopPid
 */
async function bareKills(bare, loopPid) {
  const samples = [];
  for (let count = 1; count <= ROLES.length; count++) {
    const engine = processesOf(bare).find(({ pid }) => pid !== loopPid);
    const killedMs = nowMs();
    kill(engine?.pid ?? 0);
    await bare.until("the engine", () => bare.turns().length > count);
    samples.push((bare.turns()[count]?.beganMs ?? NaN) - killedMs);
  }
  return samples.length > 0 ? samples : [median([])];
}
