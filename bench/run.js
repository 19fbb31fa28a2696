// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { commitOf, machineNow, whatIsLacking } from "./machine.js";
import { findings } from "./measures/findings.js";
import { footprint } from "./measures/footprint.js";
import { manySessions } from "./measures/many-sessions.js";
import { milestones } from "./measures/milestones.js";
import { pieces } from "./measures/pieces.js";
import { reports } from "./measures/report.js";
import { repository } from "./measures/repository.js";
import { logLines, resume } from "./measures/resume.js";
import { longTurns, session } from "./measures/session.js";
import { sessions } from "./measures/sessions.js";
import { startUp } from "./measures/start-up.js";
import { tenThousand } from "./measures/ten-thousand.js";
import { tenTasks } from "./measures/ten-tasks.js";
import { thousandMilestones } from "./measures/thousand-milestones.js";
import { turnGap } from "./measures/turn-gap.js";
import { waiting } from "./measures/waiting.js";
import { watch } from "./measures/watch.js";
import { parseOptions } from "./options.js";
import { buildProbes } from "./probes.js";
import { nowMs } from "./proc.js";
import { jsonOf, readReport, textOf, writeResults } from "./report.js";
import { Workspace } from "./workspace.js";

const ROOT = join(import.meta.dirname, "..");

/** @typedef {import("./row.js").Context} Context */
/** @typedef {import("./row.js").Row} Row */
/** @typedef {Readonly<Record<string, (context: Context) => Promise<readonly Row[]>>>} Measures */

/** @type {Measures} */
const USUAL = {
  pieces,
  "turn-gap": turnGap,
  "ten-tasks": tenTasks,
  session,
  "long-turns": longTurns,
  watch,
  "start-up": startUp,
  waiting,
  resume,
  report: reports,
};
/** How costs grow, one curve each. @type {Measures} */
const SCALING = {
  milestones,
  "log-lines": logLines,
  sessions,
  repository,
  findings,
  footprint,
  "many-sessions": manySessions,
  "ten-thousand": tenThousand,
};
/** By command only: minutes for one session. @type {Measures} */
const LONG = { "thousand-milestones": thousandMilestones };
/** @type {Measures} */
const MEASURES = { ...USUAL, ...SCALING, ...LONG };

/** No measure begins later than the first, and none goes on for longer than the second. */
const LIMITS_MS = {
  quick: { lastBegin: 240_000, whole: 285_000 },
  usual: { lastBegin: 900_000, whole: 1_200_000 },
  scaling: { lastBegin: 7_200_000, whole: 9_000_000 },
};

process.exitCode = await main();

async function main() {
  const options = parseOptions({
    usual: Object.keys(USUAL),
    scaling: Object.keys(SCALING),
    long: Object.keys(LONG),
  });
  if ("help" in options) {
    process.stderr.write(`${options.help}\n`);
    return options.isAsked ? 0 : 2;
  }
  if (options.from !== undefined) {
    await writeResults(readReport(options.from), options);
    return 0;
  }
  const lacking = whatIsLacking();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 1;
  }
  if (!existsSync(options.binary))
    spawnSync("npm", ["run", "build"], { cwd: ROOT, stdio: "inherit" });
  if (existsSync(options.binary)) return measure(options);
  process.stderr.write(`There is no ${options.binary}.\n`);
  return 1;
}

/** @param {import("./options.js").Options} options */
async function measure(options) {
  const { names, isQuick, binary, json, isForResults } = options;
  const isScaling = names.some((name) => !Object.hasOwn(USUAL, name));
  const limits = LIMITS_MS[isQuick ? "quick" : isScaling ? "scaling" : "usual"];
  const workspace = new Workspace(binary);
  const endNow = (/** @type {number} */ code) =>
    void workspace.dispose().then(() => process.exit(code));
  process.on("SIGINT", () => endNow(130)).on("SIGTERM", () => endNow(143));
  const watchdog = setTimeout(() => {
    process.stderr.write("The bench took too long, and was ended.\n");
    endNow(1);
  }, limits.whole);
  const began = { ms: nowMs(), load: loadavg()[0] ?? NaN };
  /** @type {{ rows: Row[], explained: { title: string, lines: readonly string[] }[], failures: string[] }} */
  const results = { rows: [], explained: [], failures: [] };
  const context = contextOf(workspace, options, results.explained);
  try {
    for (const name of names) {
      if (nowMs() - began.ms > limits.lastBegin)
        results.failures.push(`${name}: there was no time left for it`);
      else await runMeasure(name, context, results);
    }
  } finally {
    clearTimeout(watchdog);
    await workspace.dispose();
  }
  const report = {
    machine: machineNow(),
    commit: commitOf(binary),
    date: new Date().toISOString(),
    load: `load ${began.load.toFixed(1)} to ${(loadavg()[0] ?? NaN).toFixed(1)}`,
    isQuick,
    seconds: Math.round((nowMs() - began.ms) / 1000),
    ...results,
  };
  process.stdout.write(textOf(report));
  if (json !== undefined) writeFileSync(json, jsonOf(report));
  if (isForResults) await writeResults(report, options);
  return results.failures.length > 0 ? 1 : 0;
}

/**
 * @param {string} name
 * @param {Context} context
 * @param {{ readonly rows: Row[], readonly failures: string[] }} results
 */
async function runMeasure(name, context, { rows, failures }) {
  process.stderr.write(`${name} …\n`);
  const beganMs = nowMs();
  try {
    const measured = (await MEASURES[name]?.(context)) ?? [];
    rows.push(...measured);
    failures.push(...measured.filter(isUnknown).map(({ metric }) => `${metric}: not a number`));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.stderr.write(`${name}: ${((nowMs() - beganMs) / 1000).toFixed(1)} s\n`);
}

/** A sample that came to nothing, such as the time until something that never was. @param {Row} row */
function isUnknown({ wisp, limit }) {
  return [...wisp, ...limit].some(Number.isNaN);
}

/**
 * @param {Workspace} workspace
 * @param {import("./options.js").Options} options
 * @param {{ title: string, lines: readonly string[] }[]} explained
 * @returns {Context}
 */
function contextOf(workspace, { runs, points, isQuick }, explained) {
  /** @type {((name: string) => string) | undefined} */
  let probes;
  return {
    workspace,
    runs,
    pointsOf: (curve) => curve.slice(0, points),
    isQuick,
    probe: (name) => (probes ??= buildProbes(workspace.folder("probes")))(name),
    within: (secondsMax) => {
      const endMs = nowMs() + secondsMax * 1000;
      return () => nowMs() < endMs;
    },
    floors: new Map(),
    explain: (title, lines) => explained.push({ title, lines }),
  };
}
