// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMs, memoryMb, nowMs, wakeUpsOf } from "./proc.js";
import { sum } from "./statistics.js";

const IDLE_NODE = join(import.meta.dirname, "programs/idle-node.cjs");
const CALLS_NAMED = 4;

/** @typedef {import("./place.js").Place} Place */
/** @typedef {{ readonly pid: number, readonly line: string }} Running */

/**
 * Processes of bare Node that wait as wisp's do: each with one timer of 5 s, one watch, and these files loaded.
 * @param {Place} place
 * @param {number} count
 * @param {readonly string[]} [files]
 */
export async function startFloor(place, count, files = []) {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [IDLE_NODE, place.directory, ...files], {
      env: place.env,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  const pids = children.map(({ pid }) => pid ?? 0);
  return { pids, end: () => children.forEach((child) => child.kill()) };
}

/**
 * What waiting costs, measured in a window of its own: by process, by wake-ups, by system calls, and what as many
 * processes of bare Node cost meanwhile.
 * @param {Place} place
 * @param {readonly Running[]} running
 * @param {{ readonly windowMs: number }} looks
 */
export async function idleReason(place, running, { windowMs }) {
  const ours = running.filter(({ line }) => line.includes(`${place.wisp} `));
  const floor = await startFloor(place, ours.length);
  // Its own start is not what is measured.
  await sleep(windowMs);
  const beganMs = nowMs();
  const all = [...ours.map(({ pid }) => pid), ...floor.pids];
  const before = all.map((pid) => ({ cpu: cpuMs(pid), wakeUps: wakeUpsOf(pid) }));
  await sleep(2 * windowMs);
  const seconds = (nowMs() - beganMs) / 1000;
  const used = all.map((pid, at) => ({
    cpu: (cpuMs(pid) - (before[at]?.cpu ?? NaN)) / seconds,
    wakeUps: (wakeUpsOf(pid) - (before[at]?.wakeUps ?? NaN)) / seconds,
  }));
  floor.end();
  const [own, bare] = [used.slice(0, ours.length), used.slice(ours.length)];
  const names = ours.map(({ line }, at) => `${roleOf(place, line)} ${figure(own[at]?.cpu ?? NaN)}`);
  const total = (/** @type {typeof used} */ list) => ({
    cpu: figure(sum(list.map(({ cpu }) => cpu))),
    wakeUps: figure(sum(list.map(({ wakeUps }) => wakeUps))),
  });
  return [
    `a window of its own: ${total(own).cpu} ms/s = ${names.join(", ")}`,
    `${total(own).wakeUps} wake-ups/s; calls/s: ${callsOf(ours, windowMs)}`,
    `floor, ${bare.length} bare Node with a timer of 5 s and a watch: ${total(bare).cpu} ms/s, ${total(bare).wakeUps} wake-ups/s`,
  ].join("; ");
}

/**
 * What these processes ask the system for, most first, per second.
 * @param {readonly Running[]} running
 * @param {number} windowMs
 */
function callsOf(running, windowMs) {
  const seconds = windowMs / 1000;
  const pids = running.flatMap(({ pid }) => ["-p", String(pid)]);
  const words = [
    "-s",
    "INT",
    String(seconds),
    "strace",
    "-qq",
    "-f",
    "-c",
    "-U",
    "calls,name",
    ...pids,
  ];
  const { stderr } = spawnSync("timeout", words, { encoding: "utf8" });
  const calls = [...stderr.matchAll(/^ *(\d+) +([a-z_0-9]+)$/gm)]
    .map(([, count, name = ""]) => ({ name, each: Number(count) / seconds }))
    .filter(({ name }) => name !== "total")
    .sort((one, other) => other.each - one.each);
  if (calls.length === 0) return "strace cannot look at them here";
  return calls
    .slice(0, CALLS_NAMED)
    .map(({ name, each }) => `${name} ${figure(each)}`)
    .join(", ");
}

/**
 * What memory processes have, each, and what the floor has: as many processes of bare Node with the same files loaded.
 * @param {readonly { readonly name: string, readonly own: number }[]} used
 * @param {readonly number[]} floorPids
 * @param {string} loaded
 */
export function memoryReason(used, floorPids, loaded) {
  const floor = memoryOf(floorPids);
  const owns = used.map(({ name, own }) => `${name} ${own.toFixed(0)}`);
  return [
    `own memory ${sum(used.map(({ own }) => own)).toFixed(0)} MB = ${owns.join(", ")}`,
    `floor, ${floorPids.length} bare Node with the same ${loaded} loaded: own ${floor.own.toFixed(0)} MB, ${floor.alone.toFixed(0)} MB in all if nothing else ran Node`,
  ].join("; ");
}

/** @param {readonly number[]} pids */
export function memoryOf(pids) {
  const used = pids.map((pid) => memoryMb(pid));
  const own = sum(used.map((each) => each.own));
  // What is not their own they share: the text of Node, once for all of them.
  const shared = Math.max(...used.map((each) => each.rss - each.own));
  return { own, alone: own + shared, pss: sum(used.map((each) => each.pss)) };
}

/**
 * @param {Place} place
 * @param {string} line
 */
export function roleOf({ wisp }, line) {
  const [command = "", role = ""] = (line.split(wisp)[1] ?? "").trim().split(" ");
  if (command === "supervise") return "supervisor";
  return command === "agent" ? role : command;
}

/** @param {number} value */
function figure(value) {
  return value.toFixed(value >= 10 ? 0 : value >= 1 ? 1 : 2);
}
