// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bareOn, peerOn, wispOn } from "../contenders.js";
import { criticalPathMs } from "../critical-path.js";
import { cpuOfTimes } from "../notes.js";
import { installPeers, PEERS, titleOf, whyNotHere } from "../peers.js";
import { gapsOf } from "../row.js";
import { machineUse } from "../proc.js";
import { beyondPath, traceOf, tracedTo } from "../traced.js";
import { intervalsBetween, reasonOf } from "../waiting-path.js";
import { countsByName, startedIn, straceArgs } from "../started.js";
import { median, sum } from "../statistics.js";
import { rowsOf } from "./ten-tasks-rows.js";

const MILESTONES = 2;
const TASKS = 5;
const RUNS_MIN = 5;
const CPU_RUNS = 3;
const SECONDS_MAX = 240;
const COUNTED = join(import.meta.dirname, "../programs/counted.sh");

/** @typedef {import("../contenders.js").Contender} Contender */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */
/** @typedef {import("./ten-tasks-rows.js").Samples} Samples */

/**
 * Ten trivial tasks as a whole command: wisp, the bare loop and the peers, one run of each in turn.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function tenTasks({ workspace, runs, isQuick, within, explain }) {
  const [milestones, tasks] = isQuick ? [1, 2] : [MILESTONES, TASKS];
  const wisp = wispOn(milestones, tasks);
  const bare = bareOn(milestones, tasks);
  const absent = installPeers(!isQuick);
  const home = workspace.folder("home");
  const peers = PEERS.map((peer) => ({
    title: titleOf(peer),
    contender: peerOn(peer, milestones * tasks),
    note: absent ?? whyNotHere(peer, home),
  }));
  const present = peers.filter(({ note }) => note === undefined);
  const contenders = [bare, wisp, ...present.map(({ contender }) => contender)];
  const all = new Map(contenders.map((contender) => [contender, newSamples()]));
  const isTime = within(SECONDS_MAX);
  const wanted = isQuick ? 1 : Math.max(runs, RUNS_MIN);
  for (let run = 0; run < wanted && (run === 0 || isTime()); run++) {
    for (const [contender, samples] of inTurn(all, run)) await timed(workspace, contender, samples);
  }
  for (let run = 0; run < (isQuick ? 1 : CPU_RUNS); run++) {
    for (const [contender, samples] of all) await cpuRun(workspace, contender, samples);
  }
  for (const [contender, samples] of all) await startedRun(workspace, contender, samples);
  const reasons = await tracedRun(workspace, wisp);
  explain("Ten tasks, each command by itself (medians)", [...all].map(lineOf));
  const ofPeers = peers.map(({ title, contender, note }) => {
    const samples = all.get(contender);
    return { title, wall: samples?.wall ?? [], note };
  });
  const [ours, theirs] = [wisp, bare].map((contender) => all.get(contender) ?? newSamples());
  return rowsOf(ours ?? newSamples(), theirs ?? newSamples(), { peers: ofPeers, reasons });
}

/** @returns {Samples} */
function newSamples() {
  const lists = { wall: [], own: [], engine: [], project: [], gap: [], reviews: [] };
  return { ...lists, cpu: [], projectCpu: [], started: [], perTurn: [], programs: "" };
}

/**
 * Every second round the other way round: whoever comes after another meets what that left in the caches.
 * @template T
 * @param {Iterable<T>} all
 * @param {number} run
 */
function inTurn(all, run) {
  return run % 2 === 0 ? [...all] : [...all].reverse();
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Contender} contender
 * @param {Samples} samples
 */
async function timed(workspace, contender, samples) {
  const place = contender.place(workspace);
  const { wallMs } = await run(place, contender, contender.command(place));
  const activities = place.activities();
  const isCommand = (/** @type {{ purpose: string }} */ { purpose }) => purpose === "command";
  const total = (/** @type {readonly import("../notes.js").Activity[]} */ list) =>
    sum(list.map(({ beganMs, endedMs }) => endedMs - beganMs));
  const turns = place.turns();
  const builds = turns.filter(({ purpose }) => purpose === "build");
  samples.wall.push(wallMs);
  samples.own.push(wallMs - criticalPathMs(activities));
  samples.engine.push(total(turns));
  samples.project.push(total(activities.filter(isCommand)));
  samples.gap.push(...gapsOf(builds).filter((_, at) => (at + 1) % TASKS !== 0));
  samples.reviews.push(turns.filter(({ purpose }) => purpose.startsWith("review-")).length);
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Contender} contender
 * @param {Samples} samples
 */
async function cpuRun(workspace, contender, samples) {
  const place = contender.place(workspace);
  const counted = join(place.notes, "counted");
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const apart = ["unshare", ...asRoot, "--pid", "--fork", "--kill-child", "--mount-proc"];
  const words = [...apart, "bash", COUNTED, counted, ...contender.command(place)];
  await run(place, contender, words, { BENCH_CPU: place.cpu });
  const all = cpuOfTimes(readFileSync(counted, "utf8"));
  samples.cpu.push(all - place.notedCpuMs((purpose) => purpose !== "command"));
  samples.projectCpu.push(place.notedCpuMs((purpose) => purpose === "command"));
}

/**
 * @param {Context["workspace"]} workspace
 * @param {Contender} contender
 * @param {Samples} samples
 */
async function startedRun(workspace, contender, samples) {
  const place = contender.place(workspace);
  const directory = workspace.folder("started");
  await run(place, contender, [
    "strace",
    ...straceArgs(join(directory, "of")),
    ...contender.command(place),
  ]);
  const own = startedIn(directory).filter((programs) => !programs.some(isOfOthers));
  const turns = place.turns().length;
  samples.started.push(own.length);
  samples.perTurn.push(own.length / turns);
  const counts = [...countsByName(own)].map(([name, count]) => `${name} ${count}`);
  samples.programs = `${own.length} in ${turns} turns: ${counts.join(", ")}`;
}

/**
 * One more run, which is traced and in no row: what its times went to.
 * @param {Context["workspace"]} workspace
 * @param {Contender} contender
 */
async function tracedRun(workspace, contender) {
  const place = contender.place(workspace);
  const before = machineUse();
  const { beganMs, endedMs } = await run(
    place,
    contender,
    contender.command(place),
    tracedTo(place),
  );
  const after = machineUse();
  const busy = (100 * (after.busyMs - before.busyMs)) / (after.wholeMs - before.wholeMs);
  const trace = traceOf(place);
  const activities = place.activities();
  const builds = place.turns().filter(({ purpose }) => purpose === "build");
  const gaps = intervalsBetween(builds, ["builder"]).filter((_, at) => (at + 1) % TASKS !== 0);
  return {
    own: `${beyondPath(trace, activities, { beganMs, endedMs })}; processors ${busy.toFixed(0)} % busy`,
    gap: reasonOf(trace, gaps),
  };
}

/**
 * Whether a program is the engine's, or the project's: its script and its commit, the tests.
 * @param {readonly string[]} words
 */
function isOfOthers(words) {
  const line = words.join(" ");
  return (
    /\/programs\/(?:agent\.sh|peer-bin\/claude|bin\/node)/.test(words.slice(0, 2).join(" ")) ||
    / commit -qam Do task \d+$/.test(line) ||
    / maintenance run --auto/.test(line) ||
    / --test$|\.test\.mjs$/.test(line)
  );
}

/**
 * Runs a command to its end, and sees to it that all was done.
 * @param {Place} place
 * @param {Contender} contender
 * @param {readonly string[]} words
 * @param {Readonly<Record<string, string>>} [more] variables
 */
async function run(place, { title, variables }, [command = "", ...args], more = {}) {
  const own = { WISP_TASKS_FILE: "TASKS.md", ...variables?.(place), ...more };
  const started = place.start(command, args, own);
  const { code, endedMs, stderr } = await started.ended;
  await place.killAll();
  const left = place.must("git", "log", "--all", "--format=%s").match(/^Do task/gm)?.length ?? 0;
  const builds = place.turns().filter(({ purpose }) => purpose === "build").length;
  if (code !== 0 || left !== builds || builds === 0) {
    throw new Error(`${title} ended with ${code} after ${builds} turns: ${stderr.slice(-500)}`);
  }
  return { wallMs: endedMs - started.launchedMs, beganMs: started.launchedMs, endedMs };
}

/**
 * @param {readonly [Contender, Samples]} entry
 */
function lineOf([{ title }, samples]) {
  const { wall, own, gap, cpu, perTurn, programs } = samples;
  const ms = (/** @type {readonly number[]} */ values) => `${median(values).toFixed(0)} ms`;
  return [
    `${title}: ${ms(wall)}, own time ${ms(own)}, gap ${median(gap).toFixed(1)} ms`,
    `CPU beside the engine's ${ms(cpu)}, ${median(perTurn).toFixed(1)} processes a turn (${programs})`,
  ].join(", ");
}
