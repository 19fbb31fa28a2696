// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Clock ticks of `/proc/<pid>/stat`: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Between two looks whether the killed have gone. */
const ROUND_MS = 20;

/** Wall clock in milliseconds, with the precision of the engine's own clock. */
export function nowMs() {
  return performance.timeOrigin + performance.now();
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} [signal]
 */
export function kill(pid, signal = "SIGKILL") {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

/**
 * Kills all processes that carry a variable in their environment, until none is left.
 * @param {string} marker a whole `NAME=value`
 */
export async function killWith(marker) {
  for (let left = processesWith(marker); left.length > 0; left = processesWith(marker)) {
    for (const { pid } of left) kill(pid);
    await sleep(ROUND_MS);
  }
}

/**
 * What a look at `/proc` says; a process that ends while it is being read is one that is not there.
 * @param {number} pid
 * @param {string} name
 */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/**
 * Living processes that carry a variable in their environment, ourselves excepted.
 * @param {string} marker a whole `NAME=value`
 * @returns {readonly { readonly pid: number, readonly line: string }[]}
 */
export function processesWith(marker) {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid)
    .filter((pid) => read(pid, "environ").split("\0").includes(marker))
    .filter((pid) => !/^[ZX]/.test(afterName(read(pid, "stat"))))
    .map((pid) => ({ pid, line: read(pid, "cmdline").replaceAll("\0", " ").trim() }));
}

/**
 * The processes of a place.
 * @param {import("./place.js").Place} place
 */
export function processesOf(place) {
  return processesWith(`BENCH_TIMES=${place.times}`);
}

/**
 * CPU that a process and those of its children that it has seen end have used, in milliseconds:
 * nanoseconds of the scheduler for its own threads, clock ticks for the children.
 * @param {number} pid
 */
export function cpuMs(pid) {
  const fields = afterName(read(pid, "stat")).split(" ");
  const childTicks = Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  return ownCpuMs(pid) + childTicks * TICK_MS;
}

/**
 * CPU of a process's own threads in milliseconds, without its children.
 * @param {number} pid
 */
export function ownCpuMs(pid) {
  return threadsOf(pid).reduce((total, ns) => total + ns / 1e6, 0);
}

/**
 * How often a process's threads have gone to sleep, and so were woken.
 * @param {number} pid
 */
export function wakeUpsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => read(pid, `task/${thread}/status`))
      .map((status) => Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0))
      .reduce((total, count) => total + count, 0);
  } catch {
    return NaN;
  }
}

/** @param {number} pid */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      return Number(read(pid, `task/${thread}/schedstat`).split(" ")[0]);
    });
  } catch {
    return [];
  }
}

/**
 * Memory of a process in MB. `pss` shares out what several have mapped, so it depends on who else runs
 * the same program; `own` is what would be free if it ended; `peak` is the most that was resident.
 * @param {number} pid
 */
export function memoryMb(pid) {
  const rollup = read(pid, "smaps_rollup");
  const status = read(pid, "status");
  const pss = kilobytes(rollup, "Pss");
  const own = kilobytes(rollup, "Private_Dirty") + kilobytes(rollup, "Private_Clean");
  return {
    rss: kilobytes(rollup, "Rss") / 1024,
    pss: pss / 1024,
    own: own / 1024,
    peak: kilobytes(status, "VmHWM") / 1024,
  };
}

/** What all processors have done since the machine was started, in milliseconds, and what memory can be had. */
export function machineUse() {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, ...others] = line
    .split(/ +/)
    .slice(1, 9)
    .map(Number);
  const busy = user + nice + system + others.reduce((total, ticks) => total + ticks, 0);
  const availableMb = kilobytes(readFileSync("/proc/meminfo", "utf8"), "MemAvailable") / 1024;
  return { busyMs: busy * TICK_MS, wholeMs: (busy + idle + ioWait) * TICK_MS, availableMb };
}

/**
 * @param {string} text
 * @param {string} field
 */
function kilobytes(text, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? NaN);
}

/**
 * The fields of `stat` from the third: the second may itself hold spaces and parentheses.
 * @param {string} stat
 */
function afterName(stat) {
  return stat.slice(stat.lastIndexOf(")") + 2);
}
