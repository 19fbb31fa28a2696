// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { criticalChain } from "./critical-path.js";
import { readTrace } from "./trace.js";
import { partsOf, sumOf, wordsOf } from "./waiting-path.js";

/** @typedef {import("./notes.js").Activity} Activity */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./waiting-path.js").Processes} Processes */

const ROLES = ["tester", "reviewer", "builder", "planner"];
/** The end of a session is waited for by its command, and this by the supervisor for the roles. */
export const END_PATH = ["supervisor", ...ROLES, "start"];

/**
 * What has wisp's processes write a trace beside a place's repository.
 * @param {Place} place
 */
export function tracedTo(place) {
  return { WISP_TRACE: join(place.directory, "trace.json") };
}

/**
 * A command of wisp that is traced, with all that it starts.
 * @param {Place} place
 * @param {...string} words
 */
export function startTraced(place, ...words) {
  return place.start(process.execPath, [place.wisp, ...words], tracedTo(place));
}

/**
 * What was traced in a place so far.
 * @param {Place} place
 */
export function traceOf(place) {
  const { WISP_TRACE: path } = tracedTo(place);
  return readTrace(existsSync(path) ? readFileSync(path, "utf8") : "");
}

/**
 * What a whole run took beyond its critical path, in words: what it did between the links of that chain, before the
 * first and after the last.
 * @param {Processes} processes
 * @param {readonly Activity[]} activities
 * @param {{ readonly beganMs: number, readonly endedMs: number }} run
 */
export function beyondPath(processes, activities, { beganMs, endedMs }) {
  const chain = criticalChain(activities);
  const roles = chain.map((link) => roleOf(link, processes));
  const gaps = [...chain, undefined].map((link, at) => {
    const [role, before] = [roles[at], roles[at - 1]];
    const near = [role, before].filter((name) => name !== undefined);
    const path = link === undefined ? END_PATH : [...new Set([...near, ...END_PATH])];
    return { fromMs: chain[at - 1]?.endedMs ?? beganMs, toMs: link?.beganMs ?? endedMs, path };
  });
  const parts = sumOf(gaps.map((gap) => partsOf(processes, gap)));
  const chainMs = chain.reduce((total, link) => total + link.endedMs - link.beganMs, 0);
  return `traced: beside ${chainMs.toFixed(0)} ms of critical path ${wordsOf(parts)}`;
}

/** Which role has the engine for a purpose. @type {Readonly<Record<string, string>>} */
const ROLE_BY_PURPOSE = {
  plan: "planner",
  replan: "planner",
  build: "builder",
  test: "tester",
  "final-test": "tester",
};

/**
 * The role that ran an engine, or a command of the project.
 * @param {Activity} activity
 * @param {Processes} processes
 */
function roleOf({ purpose, beganMs, endedMs }, processes) {
  if (purpose !== "command")
    return ROLE_BY_PURPOSE[purpose] ?? (purpose.startsWith("review-") ? "reviewer" : undefined);
  const middleUs = ((beganMs + endedMs) / 2) * 1000;
  const ran = processes.find(({ spans }) =>
    spans.some(({ cat, ts, dur }) => cat === "command" && ts <= middleUs && ts + dur >= middleUs),
  );
  return ran?.name.replace("wisp ", "");
}
