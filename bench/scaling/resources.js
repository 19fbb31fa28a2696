// @ts-check
import {
  AT_A_PLACE,
  BEAT,
  FOLLOWER,
  LINK,
  MACHINE,
  SESSION,
  SSH_CHANNELS,
  TURN,
} from "./constants.js";
import { simulate } from "./simulate.js";

/** More sessions than are looked for. */
const SESSIONS_MAX = 1_000_000;

/**
 * Sessions at work that run on some machines, and are followed from one more.
 * @typedef {object} Fleet
 * @property {number} sessions
 * @property {number} machines
 * @property {number} [seed]
 */

/**
 * Something that can run out.
 * @typedef {object} Resource
 * @property {string} name
 * @property {string} unit
 * @property {boolean} isHard whether sessions stop or fail without it; else they only get slower, or dearer
 * @property {number} limit
 * @property {(fleet: Fleet) => number} used by what needs most of it
 */

/**
 * What the fullest of the machines has of something that each session there has.
 * @param {Pick<Resource, "name" | "unit" | "isHard" | "limit">} what
 * @param {number} each
 * @returns {Resource}
 */
function perMachine(what, each) {
  return { ...what, used: ({ sessions, machines }) => Math.ceil(sessions / machines) * each };
}

/**
 * What the machine has that follows all of them.
 * @param {Pick<Resource, "name" | "unit" | "isHard" | "limit">} what
 * @param {number} each
 * @returns {Resource}
 */
function perFollower(what, each) {
  return { ...what, used: ({ sessions }) => sessions * each };
}

/** @param {"threads" | "fds" | "instances" | "watches" | "memoryMb" | "idleCpu"} key */
const there = (key) => SESSION[key] + AT_A_PLACE[key];

/** @type {readonly Resource[]} */
export const RESOURCES = [
  perMachine(
    { name: "a machine: commands over one ssh", unit: "", isHard: false, limit: SSH_CHANNELS },
    1,
  ),
  perMachine(
    { name: "a machine: inotify instances", unit: "", isHard: false, limit: MACHINE.instances },
    there("instances"),
  ),
  perMachine(
    { name: "a machine: inotify watches", unit: "", isHard: false, limit: MACHINE.watches },
    there("watches"),
  ),
  {
    name: "a machine: CPU",
    unit: "ms/s",
    isHard: false,
    limit: MACHINE.cores * 1000,
    used: (fleet) => {
      const idle = Math.ceil(fleet.sessions / fleet.machines) * there("idleCpu");
      return simulate(fleet).hostTurnsASecond * (TURN.cpuMs + LINK.placeCpuMs) + idle;
    },
  },
  perMachine(
    { name: "a machine: memory", unit: "MB", isHard: true, limit: MACHINE.memoryMb },
    there("memoryMb"),
  ),
  perMachine(
    { name: "a machine: threads", unit: "", isHard: true, limit: MACHINE.threads },
    there("threads"),
  ),
  perFollower(
    { name: "who follows: memory", unit: "MB", isHard: true, limit: MACHINE.memoryMb },
    FOLLOWER.memoryMb,
  ),
  perFollower(
    { name: "who follows: threads", unit: "", isHard: true, limit: MACHINE.threads },
    FOLLOWER.threads,
  ),
  {
    name: "who follows: CPU",
    unit: "ms/s",
    isHard: false,
    limit: MACHINE.cores * 1000,
    used: (fleet) => {
      const idle = fleet.sessions * FOLLOWER.idleCpu;
      return simulate(fleet).turnsASecond * LINK.followerCpuMs + idle;
    },
  },
  perFollower(
    { name: "who follows: synced writes", unit: "ms/s", isHard: false, limit: 1000 },
    (BEAT.writeMs * 1000) / BEAT.everyMs,
  ),
  perFollower(
    { name: "who follows: file descriptors", unit: "", isHard: true, limit: MACHINE.fds },
    FOLLOWER.fds,
  ),
];

/**
 * With how many sessions a resource is just not used up.
 * @param {Resource} resource
 * @param {Omit<Fleet, "sessions">} fleet
 */
export function sessionsUntil({ used, limit }, fleet) {
  let [fits, tooMany] = [0, 1];
  while (tooMany < SESSIONS_MAX && used({ ...fleet, sessions: tooMany }) <= limit) {
    [fits, tooMany] = [tooMany, 2 * tooMany];
  }
  while (tooMany - fits > Math.max(1, fits / 200)) {
    const between = Math.floor((fits + tooMany) / 2);
    if (used({ ...fleet, sessions: between }) <= limit) fits = between;
    else tooMany = between;
  }
  return fits;
}
