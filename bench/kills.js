// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { kill, nowMs, processesOf } from "./proc.js";
import { median } from "./statistics.js";

const ROLES = ["planner", "builder", "reviewer", "tester"];

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./waiting-path.js").Interval} Interval */

/**
 * From each kill of a role to the first record of its successor, and to its engine.
 * @typedef {{ readonly record: Interval[], readonly engine: Interval[] }} Kills
 */

/**
 * @param {Place} place
 * @param {...string} words
 */
function startUntraced(place, ...words) {
  return place.startWisp(...words);
}

/** @param {{ readonly purpose: string }} turn */
export function isTest({ purpose }) {
  return purpose === "test";
}

/**
 * Kills everything, and has another supervisor start the roles: it remembers no crash.
 * @param {Place} place
 * @param {number} settleMs
 * @param {typeof startUntraced} [start]
 */
export async function superviseAnew(place, settleMs, start = startUntraced) {
  await place.killAll();
  const before = ROLES.map((role) => startsOf(place, role).length);
  const tests = place.turns().filter(isTest).length;
  await start(place, "up", "--detach").ended;
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
 * @param {Kills} again
 */
export async function killEach(place, again) {
  for (const role of ROLES) {
    const count = startsOf(place, role).length;
    const tests = place.turns().filter(isTest).length;
    const killedMs = nowMs();
    kill(place.pidOf(role));
    await place.until(`the next ${role}`, () => startsOf(place, role).length > count);
    const path = [role, "supervisor"];
    const toMs = startsOf(place, role)[count]?.timeMs ?? NaN;
    again.record.push({ fromMs: killedMs, toMs, path });
    if (role !== "tester") continue;
    await place.until("its engine", () => place.turns().filter(isTest).length > tests);
    const engineMs = place.turns().filter(isTest)[tests]?.beganMs ?? NaN;
    again.engine.push({ fromMs: killedMs, toMs: engineMs, path });
  }
}

/**
 * @param {Place} bare
 * @param {number} loopPid
 */
export async function bareKills(bare, loopPid) {
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
