// @ts-check
import { gapsOf } from "../row.js";
import { startTraced, traceOf } from "../traced.js";
import { intervalsBetween, reasonOf, withFloor } from "../waiting-path.js";
import { median } from "../statistics.js";
import { planOf } from "../plan.js";

const TASKS = 10;
const QUICK_TASKS = 3;
const SECONDS_MAX = 60;

/** Records of a builder's turn, in order; what lies between them is told apart. */
const STEPS = ["turn.end", "push.intent", "push.done", "build.end", "unit.begin", "turn.begin"];

/** @typedef {import("../notes.js").Activity} Turn */

/**
 * The time between two turns of one role that has the machine to itself: the builder in a milestone of
 * ten tasks, a task and a commit per turn, then the reviewer at the ten commits.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function turnGap({ workspace, runs, isQuick, within, explain, floors }) {
  const tasks = isQuick ? QUICK_TASKS : TASKS;
  /** @type {{ builder: number[], reviewer: number[], bare: number[] }} */
  const gaps = { builder: [], reviewer: [], bare: [] };
  /** @type {Map<string, number[]>} */
  const steps = new Map();
  const isTime = within(SECONDS_MAX);
  for (let run = 0; run < runs && (run === 0 || isTime()); run++) {
    gaps.bare.push(...(await bareRun(workspace, tasks)));
    const { builder, reviewer, place } = await wispRun(workspace, tasks);
    gaps.builder.push(...gapsOf(builder));
    gaps.reviewer.push(...gapsOf(reviewer));
    addSteps(steps, place.records("builder"), builder);
    await place.killAll();
  }
  const reasons = await tracedRun(workspace, tasks);
  const builderReason = withFloor(reasons.builder, floors.get("turn"));
  explain(
    "Builder, from an engine's end to the next one's begin, medians in ms",
    [...steps].map(([name, values]) => `${name.padEnd(28)} ${median(values).toFixed(1)}`),
  );
  const best = "bash 2.4, ralphy 3.6, ralph-tui 6.8 (1013 as shipped)";
  const row = /** @type {const} */ ({
    unit: "ms",
    limit: gaps.bare,
    best,
  });
  return [
    {
      ...row,
      metric: "gap between turns, builder",
      wisp: gaps.builder,
      aim: "≤ 25 ms",
      bound: builderReason,
    },
    {
      ...row,
      metric: "gap between turns, reviewer",
      wisp: gaps.reviewer,
      aim: "",
      bound: reasons.reviewer,
    },
  ];
}

/**
 * @param {import("../row.js").Context["workspace"]} workspace
 * @param {number} tasks
 */
async function bareRun(workspace, tasks) {
  const place = workspace.place();
  place.write("TASKS.md", planOf(1, tasks));
  const loop = place.startLoop("build-loop.sh", [], { WISP_TASKS_FILE: "TASKS.md" });
  await loop.ended;
  return gapsOf(place.turns());
}

/** @type {typeof startTraced} */
const startUntraced = (place, ...words) => place.startWisp(...words);

/**
 * @param {import("../row.js").Context["workspace"]} workspace
 * @param {number} tasks
 * @param {typeof startTraced} [start]
 */
async function wispRun(workspace, tasks, start = startUntraced) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, tasks) });
  await place.startWisp("start", "request.md", "--no-up").ended;
  start(place, "agent", "planner");
  start(place, "agent", "builder");
  await place.until("the milestone", () => has(place.records("builder"), "outcome=milestone"));
  const builder = place.turns().filter(({ purpose }) => purpose === "build");
  start(place, "agent", "reviewer");
  await place.until("its review", () => has(place.records("reviewer"), /^\S+ review\.end .* m=/));
  const reviewer = place.turns().filter(({ purpose }) => purpose === "review-commit");
  return { place, builder, reviewer };
}

/**
 * One more run, which is traced and in no row: what its gaps went to.
 * @param {import("../row.js").Context["workspace"]} workspace
 * @param {number} tasks
 */
async function tracedRun(workspace, tasks) {
  const { builder, reviewer, place } = await wispRun(workspace, tasks, startTraced);
  const trace = traceOf(place);
  await place.killAll();
  return {
    builder: reasonOf(trace, intervalsBetween(builder, ["builder"])),
    reviewer: reasonOf(trace, intervalsBetween(reviewer, ["reviewer"])),
  };
}

/**
 * @param {readonly { readonly line: string }[]} records
 * @param {string | RegExp} what
 */
function has(records, what) {
  return records.some(({ line }) => line.search(what) >= 0);
}

/**
 * @param {Map<string, number[]>} steps
 * @param {readonly { readonly timeMs: number, readonly kind: string }[]} records
 * @param {readonly Turn[]} turns
 */
function addSteps(steps, records, turns) {
  for (const [at, { endedMs }] of turns.slice(0, -1).entries()) {
    const next = turns[at + 1]?.beganMs ?? NaN;
    let before = { name: "engine ends", timeMs: endedMs };
    for (const kind of [...STEPS, "engine begins"]) {
      // Records have whole milliseconds: one of the same turn may seem to lie before the engine's end.
      const found = records.find((record) => record.kind === kind && record.timeMs > endedMs - 1);
      const after = { name: kind, timeMs: found?.timeMs ?? next };
      const name = `${before.name} → ${after.name}`;
      steps.set(name, [...(steps.get(name) ?? []), after.timeMs - before.timeMs]);
      before = after;
    }
  }
}
