// @ts-check
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { criticalPathMs, lastEndMs } from "../critical-path.js";
import { planOf } from "../plan.js";
import { nowMs } from "../proc.js";
import { beyondPath, END_PATH, startTraced, traceOf } from "../traced.js";
import { reasonOf, withFloor } from "../waiting-path.js";

/**
 * A session and the lengths of its turns.
 * @typedef {object} Shape
 * @property {number} milestones
 * @property {number} tasks
 * @property {string} seconds how long each turn takes at least
 */

/** @type {Shape} */
const SHORT_TURNS = {
  milestones: 2,
  tasks: 3,
  seconds: " plan=0.5 build=0.5 review-commit=0.2 review-milestone=0.2 test=0.5 final-test=0.5 ",
};
/** @type {Shape} */
const LONG_TURNS = {
  milestones: 1,
  tasks: 2,
  seconds: " plan=10 build=10 review-commit=10 review-milestone=10 test=10 final-test=10 ",
};
/** @type {Shape} */
const QUICK_TURNS = {
  milestones: 1,
  tasks: 2,
  seconds: " plan=0.2 build=0.2 review-commit=0.2 review-milestone=0.2 test=0.2 final-test=0.2 ",
};
/** So that the traced run begins its turns while the turns of the others last. */
const TRACED_LATER_MS = 5_000;
const SECONDS_MAX = 90;
/** Records that the bare loop is given, and the time between them. */
const APPENDS = 10;
const APPEND_GAP_MS = 100;

/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */
/** @typedef {import("../place.js").Place} Place */

/**
 * Whole sessions with turns of given length: from the command to the first engine, from a record in one
 * role's log to the engine of another, and the whole against its critical path.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function session({ workspace, runs, isQuick, within, floors }) {
  const shape = isQuick ? QUICK_TURNS : SHORT_TURNS;
  const wisp = newSamples();
  const bare = newSamples();
  /** @type {{ reviewer: number[], tester: number[] }} */
  const woken = { reviewer: [], tester: [] };
  /** @type {number[]} */
  const again = [];
  const isTime = within(SECONDS_MAX);
  for (let run = 0; run < runs && (run === 0 || isTime()); run++) {
    await bareRun(workspace, shape, bare);
    bare.reaction.push(...(await bareReactions(workspace)));
    const place = await wispRun(workspace, shape, wisp);
    woken.reviewer.push(...lengthsOf(reactions(place, PUSHED)));
    woken.tester.push(...lengthsOf(reactions(place, FINISHED)));
    again.push(await firstEngineAgain(place));
  }
  const reasons = await tracedRun(workspace, shape, floors);
  return rowsOf(wisp, bare, { ...woken, again, reasons });
}

/**
 * One session whose turns take as long as those of a quick model do.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function longTurns({ workspace, isQuick }) {
  const shape = isQuick ? QUICK_TURNS : LONG_TURNS;
  const wisp = newSamples();
  const bare = newSamples();
  // All mostly wait: side by side they take a third of the time, and do not disturb one another.
  const [{ place, beganMs, endedMs }] = await Promise.all([
    later(isQuick ? 0 : TRACED_LATER_MS, () => runTraced(workspace, shape)),
    wispRun(workspace, shape, wisp),
    bareRun(workspace, shape, bare),
  ]);
  return [
    {
      metric: "whole run / its critical path, turns of 10 s",
      unit: "×",
      wisp: wisp.whole,
      limit: bare.whole,
      aim: "≤ 1.01 ×",
      bound: beyondPath(traceOf(place), place.activities(), { beganMs, endedMs }),
    },
  ];
}

/**
 * @template T
 * @param {number} ms
 * @param {() => Promise<T>} work
 */
async function later(ms, work) {
  await sleep(ms);
  return work();
}

/** @returns {{ first: number[], whole: number[], reaction: number[], tail: number[] }} */
function newSamples() {
  return { first: [], whole: [], reaction: [], tail: [] };
}

/**
 * @param {ReturnType<typeof newSamples>} wisp
 * @param {ReturnType<typeof newSamples>} bare
 * @param {{ reviewer: number[], tester: number[], again: number[], reasons: Awaited<ReturnType<typeof tracedRun>> }} woken
 * @returns {readonly Row[]}
 */
function rowsOf(wisp, bare, { reviewer, tester, again, reasons }) {
  const reaction = /** @type {const} */ ({
    unit: "ms",
    limit: bare.reaction,
    limitName: "tail -F loop",
    aim: "≤ 40 ms",
  });
  return [
    {
      metric: "command → first engine",
      unit: "ms",
      wisp: wisp.first,
      limit: bare.first,
      aim: "≤ 250 ms",
      best: "bash 4.6, ralphy 109, ralph-tui 294",
      bound: reasons.first,
    },
    {
      metric: "command → first engine, second session of a user",
      unit: "ms",
      wisp: again,
      limit: bare.first,
      aim: "≤ 250 ms",
      best: "bash 4.6, ralphy 109, ralph-tui 294",
    },
    {
      ...reaction,
      metric: "push.done → reviewer's engine",
      wisp: reviewer,
      bound: reasons.reviewer,
    },
    { ...reaction, metric: "build.end → tester's engine", wisp: tester, bound: reasons.tester },
    {
      metric: "whole run / its critical path, turns of 0.2 to 0.5 s",
      unit: "×",
      wisp: wisp.whole,
      limit: bare.whole,
      aim: "≤ 1.10 ×",
      bound: reasons.whole,
    },
    {
      metric: "last engine's or command's end → exit",
      unit: "ms",
      wisp: wisp.tail,
      limit: bare.tail,
      aim: "≤ 60 ms",
      best: "bash 1.5, ralphy 14, ralph-tui 20",
      bound: reasons.tail,
    },
  ];
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Shape} shape
 * @param {ReturnType<typeof newSamples>} samples
 */
async function wispRun(workspace, { milestones, tasks, seconds }, samples) {
  const place = workspace.place({ BENCH_PLAN: planOf(milestones, tasks), BENCH_SECONDS: seconds });
  const command = place.startWisp("start", "request.md");
  const { code, endedMs, stderr } = await command.ended;
  if (code !== 0) throw new Error(`wisp start ended with ${code}: ${stderr}`);
  const builds = place.turns().filter(({ purpose }) => purpose === "build").length;
  if (builds !== milestones * tasks) throw new Error(`the run had ${builds} builds`);
  addRun(samples, place, { beganMs: command.launchedMs, endedMs });
  return place;
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Shape} shape
 * @param {ReturnType<typeof newSamples>} samples
 */
async function bareRun(workspace, { milestones, tasks, seconds }, samples) {
  const place = workspace.place({ BENCH_PLAN: planOf(milestones, tasks), BENCH_SECONDS: seconds });
  const counts = [milestones, tasks].map(String);
  const loop = place.startLoop("whole-run.sh", counts, { WISP_TASKS_FILE: "TASKS.md" });
  const { endedMs } = await loop.ended;
  addRun(samples, place, { beganMs: loop.launchedMs, endedMs });
}

/**
 * From the command to the first engine of one more session in the same HOME, in which the first has left what V8
 * compiled. The session is not run to its end.
 * @param {Place} place
 */
async function firstEngineAgain(place) {
  place.forgetTurns();
  const command = place.start(process.execPath, [place.wisp, "start", "request.md", "--again"]);
  await place.until("the planner's engine", () => place.turns().length > 0);
  const [first] = place.turns();
  await place.killAll();
  return (first?.beganMs ?? NaN) - command.launchedMs;
}

/**
 * @param {ReturnType<typeof newSamples>} samples
 * @param {Place} place
 * @param {{ readonly beganMs: number, readonly endedMs: number }} run
 */
function addRun(samples, place, { beganMs, endedMs }) {
  const activities = place.activities();
  samples.first.push((place.turns()[0]?.beganMs ?? NaN) - beganMs);
  samples.whole.push((endedMs - beganMs) / criticalPathMs(activities));
  samples.tail.push(endedMs - lastEndMs(activities));
}

/** Which record wakes whom; that role is idle when its own log ends a unit before. */
const PUSHED = { record: / push\.done /, role: "reviewer", purpose: "review-commit" };
const FINISHED = { record: / build\.end .*outcome=milestone/, role: "tester", purpose: "test" };

/**
 * From each record of the builder to the engine that it wakes, where that role was idle.
 * @param {Place} place
 * @param {typeof PUSHED} wake
 */
function reactions(place, { record, role, purpose }) {
  const woken = place.records("builder").filter(({ line }) => record.test(line));
  const own = place.records(role);
  const engines = place.turns().filter((turn) => turn.purpose === purpose);
  return woken.flatMap(({ timeMs }, at) => {
    const wasBusy = own.some(({ kind, timeMs: ms }, index) => {
      const isOpen = kind === "unit.begin" && ms <= timeMs;
      const endedMs = own
        .slice(index)
        .find((later) => later.kind.endsWith(".end") && later.kind !== "turn.end");
      return isOpen && (endedMs === undefined || endedMs.timeMs > timeMs);
    });
    const engine = engines[at];
    return wasBusy || engine === undefined ? [] : [{ fromMs: timeMs, toMs: engine.beganMs }];
  });
}

/** @param {readonly { readonly fromMs: number, readonly toMs: number }[]} intervals */
function lengthsOf(intervals) {
  return intervals.map(({ fromMs, toMs }) => toMs - fromMs);
}

/**
 * One more run, which is traced and in no row: what its times went to.
 * @param {Context["workspace"]} workspace
 * @param {Shape} shape
 * @param {Context["floors"]} floors
 */
async function tracedRun(workspace, shape, floors) {
  const { place, beganMs, endedMs } = await runTraced(workspace, shape);
  const trace = traceOf(place);
  const activities = place.activities();
  const reasons = (/** @type {typeof PUSHED} */ wake) =>
    reasonOf(
      trace,
      reactions(place, wake).map((each) => ({ ...each, path: [wake.role, "builder"] })),
    );
  const start = { fromMs: beganMs, toMs: place.turns()[0]?.beganMs ?? NaN };
  const tail = { fromMs: lastEndMs(activities), toMs: endedMs };
  const floor = floors.get("start");
  return {
    first: withFloor(
      reasonOf(trace, [{ ...start, path: ["planner", "supervisor", "start"] }]),
      floor,
    ),
    reviewer: reasons(PUSHED),
    tester: reasons(FINISHED),
    whole: beyondPath(trace, activities, { beganMs, endedMs }),
    tail: reasonOf(trace, [{ ...tail, path: END_PATH }]),
  };
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Shape} shape
 */
async function runTraced(workspace, { milestones, tasks, seconds }) {
  const place = workspace.place({ BENCH_PLAN: planOf(milestones, tasks), BENCH_SECONDS: seconds });
  const command = startTraced(place, "start", "request.md");
  const { code, endedMs, stderr } = await command.ended;
  if (code !== 0) throw new Error(`wisp start ended with ${code}: ${stderr}`);
  return { place, beganMs: command.launchedMs, endedMs };
}

/** @param {Context["workspace"]} workspace */
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
