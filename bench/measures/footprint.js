// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { heldBy } from "../held.js";
import { planOf } from "../plan.js";
import { cpuMs, memoryMb, nowMs, processesOf } from "../proc.js";
import { sum } from "../statistics.js";

/**
 * What work has left behind is collected within half a minute after it. Turns are so long that each arrives by itself.
 */
const LOOKS = {
  usual: { tasks: 21, seconds: " build=1 ", restMs: 35_000, windowMs: 40_000 },
  quick: { tasks: 3, seconds: "", restMs: 200, windowMs: 300 },
};
const WAIT_MS_MAX = 120_000;
/** Until what has changed last has arrived. */
const LINK_SETTLE_MS = 2_000;

/** The processes of a session that runs at a place and is followed from here, each with what its command line holds. */
const KINDS = /** @type {const} */ ([
  ["follower", / mirror /],
  ["server of the mirror, there", / far mirror /],
  ["keeper, there", / far keep /],
  ["supervisor", / supervise /],
  ["roles", / agent /],
]);

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Row} Row */

/**
 * What a session holds while it waits, here and at a place of this machine: processes, threads, file descriptors and
 * inotify, which kernels limit; and what following it costs. In each the tester's engine does not end.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function footprint({ workspace, isQuick }) {
  const looks = isQuick ? LOOKS.quick : LOOKS.usual;
  const turns = { BENCH_BLOCK: "test", BENCH_SECONDS: looks.seconds };
  const settings = { BENCH_PLAN: planOf(1, looks.tasks), ...turns };
  const here = workspace.place(settings);
  here.startWisp("start", "request.md", "--detach");
  await here.until("the tester's engine", () => isTesting(here), WAIT_MS_MAX);
  const there = workspace.place(settings);
  const started = await there.startWisp("start", "request.md", "--on", "local", "--yes", "--detach")
    .ended;
  if (started.code !== 0) throw new Error(`wisp start --on local: ${started.stderr}`);
  const linking = await linkCpu(there, looks.tasks);
  await there.until("the tester's engine at the place", () => isTesting(there), WAIT_MS_MAX);
  await sleep(looks.restMs);
  const [idleHere, idleThere] = await idleOf([here, there], looks.windowMs);
  const rows = [
    ...linking,
    ...costsOf("a session here", ofWisp(here), idleHere),
    ...KINDS.flatMap(([kind, words]) => {
      const those = ofWisp(there).filter(({ line }) => kindOf(line) === words);
      return costsOf(`a session followed: ${kind}`, those, idleThere);
    }),
  ];
  await Promise.all([here.killAll(), there.killAll()]);
  return rows;
}

/**
 * What the two ends of a mirror use of the CPU while a milestone is built, for each turn.
 * @param {Place} place
 * @param {number} tasks of its plan
 * @returns {Promise<readonly Row[]>}
 */
async function linkCpu(place, tasks) {
  const ends = KINDS.slice(0, 2).map(([kind, words]) => ({
    kind,
    pids: ofWisp(place).flatMap(({ pid, line }) => (kindOf(line) === words ? [pid] : [])),
  }));
  const built = () => place.turns().filter(({ purpose }) => purpose === "build").length;
  const usedMs = () => ends.map(({ pids }) => sum(pids.map(cpuMs)));
  const [before, builtBefore] = [usedMs(), built()];
  await place.until("the last task", () => built() >= tasks, WAIT_MS_MAX);
  await sleep(LINK_SETTLE_MS);
  const after = usedMs();
  const count = built() - builtBefore;
  return ends.map(({ kind }, at) => ({
    metric: `a turn of a session followed: ${kind}: CPU`,
    unit: "ms",
    wisp: [count > 0 ? ((after[at] ?? NaN) - (before[at] ?? NaN)) / count : 0],
    limit: [],
    aim: "",
    note: `${count} turns`,
  }));
}

/** @param {Place} place */
function isTesting(place) {
  return place.turns().some(({ purpose }) => purpose === "test");
}

/** The processes of a place that run wisp, without engines and shells. @param {Place} place */
function ofWisp(place) {
  return processesOf(place).filter(({ line }) => /^\S*node\S* \S*wisp\.js /.test(line));
}

/** The first kind wins in the order of what is most special. @param {string} line */
function kindOf(line) {
  const special = [KINDS[1], KINDS[2], KINDS[0], KINDS[3], KINDS[4]];
  return special.find(([, words]) => words.test(line))?.[1];
}

/**
 * CPU in ms per second of each process of some places, all in the same window.
 * @param {readonly Place[]} places
 * @param {number} windowMs
 */
async function idleOf(places, windowMs) {
  const pids = places.map((place) => ofWisp(place).map(({ pid }) => pid));
  const before = pids.map((of) => of.map(cpuMs));
  const beganMs = nowMs();
  await sleep(windowMs);
  const seconds = (nowMs() - beganMs) / 1000;
  return pids.map(
    (of, place) =>
      new Map(of.map((pid, at) => [pid, (cpuMs(pid) - (before[place]?.[at] ?? NaN)) / seconds])),
  );
}

/**
 * @param {string} title
 * @param {readonly { readonly pid: number }[]} processes
 * @param {ReadonlyMap<number, number> | undefined} idle
 * @returns {readonly Row[]}
 */
function costsOf(title, processes, idle) {
  const pids = processes.map(({ pid }) => pid);
  const held = pids.map(heldBy);
  const row = /** @type {const} */ ({ unit: "", limit: [], aim: "" });
  return [
    { ...row, metric: `${title}: processes`, wisp: [pids.length] },
    { ...row, metric: `${title}: threads`, wisp: [sum(held.map(({ threads }) => threads))] },
    { ...row, metric: `${title}: file descriptors`, wisp: [sum(held.map(({ fds }) => fds))] },
    {
      ...row,
      metric: `${title}: inotify instances`,
      wisp: [sum(held.map(({ instances }) => instances))],
    },
    {
      ...row,
      metric: `${title}: inotify watches`,
      wisp: [sum(held.map(({ watches }) => watches))],
    },
    {
      ...row,
      metric: `${title}: private memory`,
      unit: "MB",
      wisp: [sum(pids.map((pid) => memoryMb(pid).own))],
    },
    {
      ...row,
      metric: `${title}: memory, PSS`,
      unit: "MB",
      wisp: [sum(pids.map((pid) => memoryMb(pid).pss))],
    },
    {
      ...row,
      metric: `${title}: idle CPU`,
      unit: "ms/s",
      wisp: [sum(pids.map((pid) => idle?.get(pid) ?? NaN))],
    },
  ];
}
