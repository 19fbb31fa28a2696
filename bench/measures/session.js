// @ts-check
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { nowMs } from "../proc.js";

const MILESTONES = 2;
const TASKS = 3;
/** How long each turn takes at least. */
const SECONDS =
  " plan=0.5 build=0.5 review-commit=0.2 review-milestone=0.2 test=0.5 final-test=0.5 ";
const SECONDS_MAX = 90;
/** Records that the bare loop is given, and the time between them. */
const APPENDS = 10;
const APPEND_GAP_MS = 100;

/** @typedef {import("../notes.js").Activity} Turn */
/** @typedef {import("../place.js").Place} Place */

/**
 * Whole sessions with turns of given length: from the command to the first engine, from a record in one
 * role's log to the engine of another, and the whole against its critical path.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function session({ workspace, runs, within }) {
  const wisp = newSamples();
  const bare = newSamples();
  /** @type {{ reviewer: number[], tester: number[], tail: number[] }} */
  const more = { reviewer: [], tester: [], tail: [] };
  const isTime = within(SECONDS_MAX);
  for (let run = 0; run < runs && (run === 0 || isTime()); run++) {
    await bareRun(workspace, bare);
    bare.reaction.push(...(await bareReactions(workspace)));
    const { place, endedMs } = await wispRun(workspace, wisp);
    const turns = place.turns();
    more.reviewer.push(...reactions(place, turns, PUSHED));
    more.tester.push(...reactions(place, turns, FINISHED));
    more.tail.push(endedMs - Math.max(...turns.map((turn) => turn.endedMs)));
  }
  return rowsOf(wisp, bare, more);
}

/** @returns {{ first: number[], whole: number[], reaction: number[] }} */
function newSamples() {
  return { first: [], whole: [], reaction: [] };
}

/**
 * @param {ReturnType<typeof newSamples>} wisp
 * @param {ReturnType<typeof newSamples>} bare
 * @param {{ reviewer: number[], tester: number[], tail: number[] }} more
 * @returns {readonly import("../row.js").Row[]}
 */
function rowsOf(wisp, bare, { reviewer, tester, tail }) {
  const reaction = /** @type {const} */ ({
    unit: "ms",
    limit: bare.reaction,
    limitName: "tail -F loop",
    aim: "p50 ≤ 3 ms, p99 ≤ 15 ms",
  });
  return [
    {
      metric: "command → first engine",
      unit: "ms",
      wisp: wisp.first,
      limit: bare.first,
      aim: "≤ 150 ms (33 ×)",
      best: "bash 4.6, ralphy 109, ralph-tui 294",
    },
    { ...reaction, metric: "push.done → reviewer's engine", wisp: reviewer },
    { ...reaction, metric: "build.end → tester's engine", wisp: tester },
    {
      metric: "whole run / its critical path",
      unit: "×",
      wisp: wisp.whole,
      limit: bare.whole,
      aim: "≤ 1.03 ×",
    },
    {
      metric: "last engine's end → exit",
      unit: "ms",
      wisp: tail,
      limit: [],
      aim: "",
      best: "bash 1.5, ralphy 14, ralph-tui 20",
    },
  ];
}

/**
 * @param {import("../row.js").Context["workspace"]} workspace
 * @param {ReturnType<typeof newSamples>} samples
 */
async function wispRun(workspace, samples) {
  const place = workspace.place({ BENCH_PLAN: planOf(MILESTONES, TASKS), BENCH_SECONDS: SECONDS });
  const command = place.startWisp("start", "request.md");
  const { code, endedMs, stderr } = await command.ended;
  if (code !== 0) throw new Error(`wisp start ended with ${code}: ${stderr}`);
  addRun(samples, place.turns(), { beganMs: command.launchedMs, endedMs });
  return { place, endedMs };
}

/**
 * @param {import("../row.js").Context["workspace"]} workspace
 * @param {ReturnType<typeof newSamples>} samples
 */
async function bareRun(workspace, samples) {
  const place = workspace.place({ BENCH_PLAN: planOf(MILESTONES, TASKS), BENCH_SECONDS: SECONDS });
  const counts = [MILESTONES, TASKS].map(String);
  const loop = place.startLoop("whole-run.sh", counts, { WISP_TASKS_FILE: "TASKS.md" });
  const { endedMs } = await loop.ended;
  addRun(samples, place.turns(), { beganMs: loop.launchedMs, endedMs });
}

/**
 * @param {ReturnType<typeof newSamples>} samples
 * @param {readonly Turn[]} turns
 * @param {{ readonly beganMs: number, readonly endedMs: number }} run
 */
function addRun(samples, turns, { beganMs, endedMs }) {
  samples.first.push((turns[0]?.beganMs ?? NaN) - beganMs);
  samples.whole.push((endedMs - beganMs) / criticalPathMs(turns));
}

/**
 * What no order of the same turns can be faster than, from the lengths that they really had: the plan;
 * for each milestone its builds, then the longer of its test and the reviews that its last commit needs;
 * the final test.
 * @param {readonly Turn[]} turns
 */
function criticalPathMs(turns) {
  const of = (/** @type {string} */ wanted) =>
    turns
      .filter(({ purpose }) => purpose === wanted)
      .map(({ beganMs, endedMs }) => endedMs - beganMs);
  const builds = of("build");
  const commits = of("review-commit");
  const tests = of("test");
  const counts = [of("plan"), builds, commits, of("review-milestone"), tests, of("final-test")];
  const expected = [1, MILESTONES * TASKS, MILESTONES * TASKS, MILESTONES, MILESTONES, 1];
  if (counts.some(({ length }, at) => length !== expected[at])) {
    throw new Error(`the run had other turns than planned: ${counts.map(({ length }) => length)}`);
  }
  const windows = of("review-milestone").map((reviewMs, at) =>
    Math.max(tests[at] ?? NaN, reviewMs + (commits[(at + 1) * TASKS - 1] ?? NaN)),
  );
  const chain = [...of("plan"), ...builds, ...windows, ...of("final-test")];
  return chain.reduce((total, ms) => total + ms, 0);
}

/** Which record wakes whom; that role is idle when its own log ends a unit before. */
const PUSHED = { record: / push\.done /, role: "reviewer", purpose: "review-commit" };
const FINISHED = { record: / build\.end .*outcome=milestone/, role: "tester", purpose: "test" };

/**
 * From each record of the builder to the engine that it wakes, where that role was idle.
 * @param {Place} place
 * @param {readonly Turn[]} turns
 * @param {typeof PUSHED} wake
 */
function reactions(place, turns, { record, role, purpose }) {
  const woken = place.records("builder").filter(({ line }) => record.test(line));
  const own = place.records(role);
  const engines = turns.filter((turn) => turn.purpose === purpose);
  return woken.flatMap(({ timeMs }, at) => {
    const wasBusy = own.some(({ kind, timeMs: ms }, index) => {
      const isOpen = kind === "unit.begin" && ms <= timeMs;
      const endedMs = own
        .slice(index)
        .find((later) => later.kind.endsWith(".end") && later.kind !== "turn.end");
      return isOpen && (endedMs === undefined || endedMs.timeMs > timeMs);
    });
    const engine = engines[at];
    return wasBusy || engine === undefined ? [] : [engine.beganMs - timeMs];
  });
}

/** @param {import("../row.js").Context["workspace"]} workspace */
async function bareReactions(workspace) {
  const place = workspace.place();
  const log = `${place.directory}/appended.log`;
  appendFileSync(log, "begun\n");
  place.startLoop("review-loop.sh", [log]);
  // Until tail watches, lines pass unseen.
  await place.until("the loop", () => {
    appendFileSync(log, "are you there?\n");
    return place.turns().some(({ endedMs }) => !Number.isNaN(endedMs));
  });
  await sleep(APPEND_GAP_MS * 3);
  place.forgetTurns();
  /** @type {number[]} */
  const appendedMs = [];
  for (let count = 0; count < APPENDS; count++) {
    appendedMs.push(nowMs());
    appendFileSync(log, "a record\n");
    await place.until("the engine", () => place.turns().length > count);
    await sleep(APPEND_GAP_MS);
  }
  const turns = place.turns();
  await place.killAll();
  return appendedMs.map((ms, at) => (turns[at]?.beganMs ?? NaN) - ms);
}
