// @ts-check
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { promisify } from "node:util";
import { cpuMs, processesWith } from "../proc.js";

const run = promisify(execFile);

/** What processes of one kind have used, by process id. */
class Kind {
  /** @type {Map<number, number>} */
  cpuMs = new Map();
  /** @type {Map<number, number>} */
  writtenBytes = new Map();
  peak = { count: 0, bytes: 0 };
}

/** Looks at the processes of a fleet here, and at its jobs, again and again. */
export class Gauge {
  #marker;
  #env;
  #follower = new Kind();
  #client = new Kind();
  #jobs = 0;
  #load = [loadavg()[0] ?? 0, 0];

  /**
   * @param {string} marker what all their environments hold: `NAME=value`
   * @param {NodeJS.ProcessEnv} env of Slurm's programs
   */
  constructor(marker, env) {
    this.#marker = marker;
    this.#env = env;
  }

  async look() {
    const words = ["--noheader", "--states=RUNNING", "--format=%i"];
    const { stdout } = await run("squeue", words, { env: this.#env });
    this.#jobs = Math.max(this.#jobs, stdout.split("\n").filter(Boolean).length);
    this.#load[1] = Math.max(this.#load[1] ?? 0, loadavg()[0] ?? 0);
    const seen = processesWith(this.#marker);
    const followers = seen.filter(({ line }) => /wisp\.js mirror /u.test(line));
    note(
      this.#follower,
      followers.map(({ pid }) => pid),
    );
    const ofFollowers = new Set(followers.map(({ pid }) => pid));
    const clients = seen.filter(
      ({ pid, line }) => line.startsWith("srun ") && hasAncestor(pid, ofFollowers),
    );
    note(
      this.#client,
      clients.map(({ pid }) => pid),
    );
  }

  peak() {
    const { peak: followers } = this.#follower;
    return { followers, clients: this.#client.peak, jobs: this.#jobs, load: this.#load };
  }

  /** @param {"follower" | "client"} which */
  cpuMs(which) {
    return sum((which === "follower" ? this.#follower : this.#client).cpuMs);
  }

  /** What the clients of followers have handed on to them. */
  sentBytes() {
    return sum(this.#client.writtenBytes);
  }
}

/**
 * @param {Kind} kind
 * @param {readonly number[]} pids
 */
function note(kind, pids) {
  let bytes = 0;
  for (const pid of pids) {
    try {
      bytes += numberIn(pid, "smaps_rollup", /^Private_\w+: +(\d+) kB$/gmu) * 1024;
      kind.cpuMs.set(pid, cpuMs(pid));
      kind.writtenBytes.set(pid, numberIn(pid, "io", /^wchar: (\d+)$/gmu));
    } catch {
      // It ended meanwhile.
    }
  }
  kind.peak = {
    count: Math.max(kind.peak.count, pids.length),
    bytes: Math.max(kind.peak.bytes, bytes),
  };
}

/**
 * The sum of all numbers that a pattern finds in a file of a process.
 * @param {number} pid
 * @param {string} name
 * @param {RegExp} pattern
 */
function numberIn(pid, name, pattern) {
  const text = readFileSync(`/proc/${pid}/${name}`, "utf8");
  return [...text.matchAll(pattern)].reduce((total, [, digits]) => total + Number(digits), 0);
}

/**
 * srun starts a second process of itself.
 * @param {number} pid
 * @param {ReadonlySet<number>} ancestors
 */
function hasAncestor(pid, ancestors) {
  for (let at = pid, steps = 0; at > 1 && steps < 5; steps++) {
    if (ancestors.has(at)) return true;
    try {
      at = numberIn(at, "status", /^PPid:\s+(\d+)$/gmu);
    } catch {
      return false;
    }
  }
  return false;
}

/** @param {ReadonlyMap<number, number>} values */
function sum(values) {
  return [...values.values()].reduce((total, value) => total + value, 0);
}
