// @ts-check
import { closeSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { diskMb } from "../disk.js";
import { milestoneFloor } from "../milestone-floor.js";
import { between, lookAt, rolesOf } from "../milestone-looks.js";
import { planOf } from "../plan.js";
import { nowMs } from "../proc.js";
import { asPoints } from "../row.js";

const MILESTONES = 1_000;
const QUICK_MILESTONES = 4;
/** How many points the curve has. */
const POINTS = 10;
const QUICK_POINTS = 2;
const SESSION_MS_MAX = 1_800_000;
const LOOK_MS = 200;
/** More than a session needs. */
const FINAL_TESTS_MAX = 10;

/** @typedef {import("../milestone-looks.js").Look} Look */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * One session of a thousand milestones, a task each, from the command to its exit: what each hundred of them took,
 * and at the end whether everything was built, reviewed and tested.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function thousandMilestones({ workspace, isQuick, explain }) {
  const count = isQuick ? QUICK_MILESTONES : MILESTONES;
  const step = count / (isQuick ? QUICK_POINTS : POINTS);
  // The final test begins to end when the last milestone has been seen: the roles are there until then.
  const place = workspace.place({ BENCH_BLOCK: "final-test" });
  const gate = openSync(place.env["BENCH_FIFO"] ?? "", "r+");
  place.write("request.md", planOf(count, 1));
  const command = place.startWisp("start", "request.md");
  const seeLast = () => writeSync(gate, "\n".repeat(FINAL_TESTS_MAX));
  const watched = await watch(place, { count, step, ended: command.ended, seeLast });
  const { code, endedMs, stderr } = await command.ended;
  closeSync(gate);
  if (code !== 0) throw new Error(`wisp start ended with ${code}: ${stderr.slice(-500)}`);
  explain("A session of milestones to its end", [...checked(place, count)]);
  const rows = rowsOf(count, step, watched);
  await place.killAll();
  place.remove();
  const floor = await milestoneFloor(workspace, isQuick);
  return [
    {
      metric: `session of ${shown(count)} milestones: command → exit`,
      unit: "s",
      wisp: [(endedMs - command.launchedMs) / 1000],
      limit: [],
      aim: "",
      bound: `${((endedMs - command.launchedMs) / count).toFixed(0)} ms a milestone: four engine turns, their records and git`,
    },
    ...costRows(count, step, { looks: watched.looks, floor }),
    ...rows,
  ];
}

/**
 * Looks until the session has ended, and measures the disk at each step.
 * @param {Place} place
 * @param {{ readonly count: number, readonly step: number, readonly ended: Promise<{ readonly code: number | null }>, readonly seeLast: () => void }} session
 */
async function watch(place, { count, step, ended, seeLast }) {
  const endMs = nowMs() + SESSION_MS_MAX;
  let hasEnded = false;
  const noted = ended.then(() => (hasEnded = true));
  /** @type {Look[]} */
  const looks = [];
  /** @type {{ readonly done: number, readonly homeMb: number }[]} */
  const disk = [];
  for (let next = step; !hasEnded; await Promise.race([sleep(LOOK_MS), noted])) {
    if (nowMs() > endMs) throw new Error(`the session was given up at ${looks.at(-1)?.done}`);
    const look = lookAt(place);
    if (look === undefined) continue;
    if (look.done !== looks.at(-1)?.done) {
      looks.push(look);
      if (look.done === count) seeLast();
    }
    if (look.done < next) continue;
    disk.push({ done: next, homeMb: diskMb(place.home(".")) });
    process.stderr.write(`  ${look.done} of ${count} milestones\n`);
    next = (Math.floor(look.done / step) + 1) * step;
  }
  return { looks, disk };
}

/**
 * Sees to it that all was done: what is not is an error.
 * @param {Place} place
 * @param {number} count
 */
function checked(place, count) {
  const milestonesIn = (/** @type {string} */ log, /** @type {RegExp} */ end) => {
    const names = place.records(log).map(({ line }) => end.exec(line)?.[1]);
    return new Set(names.filter((name) => name !== undefined)).size;
  };
  const status = place.must(process.execPath, place.wisp, "status");
  const head = status.split("\n")[0] ?? "";
  const facts = {
    "lines of milestones.log": place.lineCount("logs/milestones.log"),
    "milestones reviewed": milestonesIn("reviewer", / review\.end .* m=(\S+) outcome=reviewed /),
    "milestones tested": milestonesIn("tester", / test\.end .* m=(\S+) outcome=tested /),
    "commits on the branch": Number(
      place.must("git", "rev-list", "--count", "main..wisp/request").trim(),
    ),
    "milestones done by `wisp status`": Number(
      / DONE \(complete, nothing was verified\) +(\d+)\/\1 milestones/.exec(
        head.replace(/(?<=\d),(?=\d)/g, ""),
      )?.[1] ?? 0,
    ),
  };
  const wrong = Object.entries(facts).filter(([, found]) => found !== count);
  if (wrong.length > 0) {
    const what = wrong.map(([name, found]) => `${name}: ${found}`).join(", ");
    throw new Error(`not all of ${count} milestones are done: ${what}\n${head}`);
  }
  const lines = Object.entries(facts).map(([name, found]) => `${name}: ${found}`);
  return [...lines, "exit code: 0", `wisp status: ${head}`];
}

/**
 * What a milestone costs the roles at the begin and at the end of the session, beside the least that it can cost.
 * @param {number} count
 * @param {number} step
 * @param {{ readonly looks: readonly Look[], readonly floor: Awaited<ReturnType<typeof milestoneFloor>> }} measured
 * @returns {readonly Row[]}
 */
function costRows(count, step, { looks, floor }) {
  return [step, count].map((to) => {
    const stretch = between(looks, to - step, to);
    return {
      metric: `cost of a milestone, own CPU, ${shown(to - step + 1)} to ${shown(to)}`,
      unit: "ms",
      wisp: [stretch.cpuMs],
      limit: [floor.cpuMs],
      limitName: floor.words,
      aim: "flat, ≤ 20 ms",
      bound: `${rolesOf(stretch)}; floor ${floor.cpuMs.toFixed(1)} ms, ${floor.words}`,
    };
  });
}

/**
 * The points of the curve: what each milestone of a step took.
 * @param {number} count
 * @param {number} step
 * @param {{ readonly looks: readonly Look[], readonly disk: readonly { readonly done: number, readonly homeMb: number }[] }} watched
 * @returns {readonly Row[]}
 */
function rowsOf(count, step, { looks, disk }) {
  const curve = `Inside one session of ${shown(count)} milestones`;
  return Array.from({ length: count / step }, (_, at) => (at + 1) * step).flatMap((to) => {
    const stretch = between(looks, to - step, to);
    const home = disk.find(({ done }) => done === to)?.homeMb ?? NaN;
    const title = `session of ${shown(count)} milestones, to ${shown(to)}`;
    const row = /** @type {const} */ ({ unit: "ms", limit: [], aim: "flat" });
    /** @type {readonly Row[]} */
    const rows = [
      { ...row, metric: `${title}: time of each`, wisp: [stretch.ms] },
      {
        ...row,
        metric: `${title}: the roles' own CPU of each`,
        wisp: [stretch.cpuMs],
        aim: "flat, ≤ 20 ms",
        bound: rolesOf(stretch),
      },
      { ...row, metric: `${title}: largest role, RSS`, unit: "MB", wisp: [stretch.largestMb] },
      { ...row, metric: `${title}: disk of the home`, unit: "MB", wisp: [home], aim: "" },
    ];
    return asPoints(rows, { curve, of: "milestones up to", at: to });
  });
}

/** @param {number} count */
function shown(count) {
  return count.toLocaleString("en-US");
}
