// @ts-check
import { memoryMb, nowMs, ownCpuMs } from "./proc.js";
import { sum } from "./statistics.js";

const ROLES = ["planner", "builder", "reviewer", "tester"];

/** @typedef {import("./place.js").Place} Place */

/**
 * What is seen of a session at one moment. The CPU is that of the roles' own threads: without git, verify, engines.
 * @typedef {object} Look
 * @property {number} done milestones that are built
 * @property {number} atMs
 * @property {number} cpuMs of all roles together
 * @property {Readonly<Record<string, number>>} cpuMsByRole
 * @property {number} largestMb the largest role
 */

/**
 * Looks at a session's roles; undefined while not all of them run.
 * @param {Place} place
 * @returns {Look | undefined}
 */
export function lookAt(place) {
  const pids = ROLES.map((role) => place.pidOf(role));
  if (pids.includes(0)) return undefined;
  const used = pids.map(ownCpuMs);
  const sizes = pids.map((pid) => memoryMb(pid).rss);
  if (sizes.some(Number.isNaN)) return undefined;
  return {
    done: place.lineCount("logs/milestones.log"),
    atMs: nowMs(),
    cpuMs: sum(used),
    cpuMsByRole: Object.fromEntries(ROLES.map((role, at) => [role, used[at] ?? NaN])),
    largestMb: Math.max(...sizes),
  };
}

/**
 * What one milestone took on average, from one number of finished ones to another, and how large the largest role
 * became meanwhile.
 * @param {readonly Look[]} looks
 * @param {number} from
 * @param {number} to
 */
export function between(looks, from, to) {
  const begin = looks.find(({ done }) => done >= from);
  const end = looks.find(({ done }) => done >= to);
  const count = (end?.done ?? NaN) - (begin?.done ?? NaN);
  const each = (/** @type {(look: Look) => number | undefined} */ of) =>
    end === undefined || begin === undefined
      ? NaN
      : ((of(end) ?? NaN) - (of(begin) ?? NaN)) / count;
  const within = looks.filter(({ done }) => done >= from && done <= to);
  return {
    ms: each(({ atMs }) => atMs),
    cpuMs: each(({ cpuMs }) => cpuMs),
    cpuMsByRole: ROLES.map((role) => ({ role, ms: each((look) => look.cpuMsByRole[role]) })),
    largestMb: Math.max(...within.map(({ largestMb }) => largestMb)),
  };
}

/**
 * Which role used the CPU, in words.
 * @param {ReturnType<typeof between>} stretch
 */
export function rolesOf({ cpuMs, cpuMsByRole }) {
  const roles = cpuMsByRole.map(({ role, ms }) => `${role} ${ms.toFixed(1)}`);
  return `own CPU ${cpuMs.toFixed(1)} ms = ${roles.join(", ")}`;
}
