// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { resume } from "./measures/resume.js";
import { session } from "./measures/session.js";
import { startUp } from "./measures/start-up.js";
import { turnGap } from "./measures/turn-gap.js";
import { waiting } from "./measures/waiting.js";
import { watch } from "./measures/watch.js";
import { buildProbes } from "./probes.js";
import { nowMs } from "./proc.js";
import { ratioOf, tableOf } from "./table.js";
import { Workspace } from "./workspace.js";

const ROOT = join(import.meta.dirname, "..");
const BINARY = join(ROOT, "dist", "wisp.js");
const RUNS = 3;
/** No measure begins later, and none goes on for longer than the second. */
const LAST_BEGIN_MS = 230_000;
const WHOLE_MS_MAX = 295_000;

/** @type {Readonly<Record<string, (context: import("./row.js").Context) => Promise<readonly import("./row.js").Row[]>>>} */
const MEASURES = { "turn-gap": turnGap, session, watch, "start-up": startUp, waiting, resume };

const HELP = `node bench/run.js [--only NAME]… [--json FILE] [--runs N] [--binary FILE]

Measures dist/wisp.js against bare loops in the same run: ${Object.keys(MEASURES).join(", ")}.
--runs: how often sessions are run (${RUNS}). --binary: another wisp.js, in its package.`;

process.exitCode = await main();

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: Object.keys(MEASURES) },
      json: { type: "string" },
      runs: { type: "string", default: String(RUNS) },
      binary: { type: "string", default: BINARY },
      help: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
  const unknown = values.only.filter((name) => !Object.hasOwn(MEASURES, name));
  if (values.help || unknown.length > 0 || !Number.isSafeInteger(runs) || runs < 1) {
    process.stderr.write(`${unknown.map((name) => `There is no ${name}.\n`).join("")}${HELP}\n`);
    return values.help ? 0 : 2;
  }
  const lacking = whatIsLacking();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 1;
  }
  if (!existsSync(values.binary))
    spawnSync("npm", ["run", "build"], { cwd: ROOT, stdio: "inherit" });
  if (existsSync(values.binary)) {
    return measure(values.only, { runs, binary: resolve(values.binary), json: values.json });
  }
  process.stderr.write(`There is no ${values.binary}.\n`);
  return 1;
}

/** Times come from bash 5, CPU and memory from /proc. */
function whatIsLacking() {
  if (!existsSync("/proc/self/smaps_rollup")) return "The bench reads /proc: it needs Linux.";
  const { stdout } = spawnSync("bash", ["-c", "echo $EPOCHREALTIME"], { encoding: "utf8" });
  return (stdout ?? "").trim() === "" ? "The bench needs bash 5 or later." : undefined;
}

/**
 * @param {readonly string[]} names
 * @param {{ readonly runs: number, readonly binary: string, readonly json: string | undefined }} options
 */
async function measure(names, { runs, binary, json }) {
  const workspace = new Workspace(binary);
  const endNow = (/** @type {number} */ code) =>
    void workspace.dispose().then(() => process.exit(code));
  process.on("SIGINT", () => endNow(130)).on("SIGTERM", () => endNow(143));
  const watchdog = setTimeout(() => {
    process.stderr.write("The bench took too long, and was ended.\n");
    endNow(1);
  }, WHOLE_MS_MAX);
  /** @type {{ readonly title: string, readonly lines: readonly string[] }[]} */
  const explained = [];
  const context = contextOf(workspace, runs, explained);
  const machine = machineNow();
  const began = { ms: nowMs(), load: loadavg()[0] ?? NaN };
  /** @type {import("./row.js").Row[]} */
  const rows = [];
  /** @type {string[]} */
  const failures = [];
  try {
    for (const name of names) {
      if (nowMs() - began.ms > LAST_BEGIN_MS)
        failures.push(`${name}: there was no time left for it`);
      else await runMeasure(name, context, { rows, failures });
    }
  } finally {
    clearTimeout(watchdog);
    await workspace.dispose();
  }
  const load = `load ${began.load.toFixed(1)} to ${(loadavg()[0] ?? NaN).toFixed(1)}`;
  const seconds = Math.round((nowMs() - began.ms) / 1000);
  const text = [
    `${machine}, ${load}, ${seconds} s. Medians (least–greatest). Compare ratios only.`,
    tableOf(rows),
    ...explained.map(
      ({ title, lines }) => `${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    ),
    ...failures,
  ];
  process.stdout.write(`${text.join("\n\n")}\n`);
  if (json !== undefined) {
    const withRatios = rows.map((row) => ({ ...row, ratio: ratioOf(row) }));
    writeFileSync(
      json,
      `${JSON.stringify({ machine, load, rows: withRatios, explained, failures }, undefined, 2)}\n`,
    );
  }
  return failures.length > 0 ? 1 : 0;
}

/**
 * @param {string} name
 * @param {import("./row.js").Context} context
 * @param {{ readonly rows: import("./row.js").Row[], readonly failures: string[] }} results
 */
async function runMeasure(name, context, { rows, failures }) {
  process.stderr.write(`${name} …\n`);
  try {
    rows.push(...((await MEASURES[name]?.(context)) ?? []));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * @param {Workspace} workspace
 * @param {number} runs
 * @param {{ title: string, lines: readonly string[] }[]} explained
 * @returns {import("./row.js").Context}
 */
function contextOf(workspace, runs, explained) {
  /** @type {((name: string) => string) | undefined} */
  let probes;
  return {
    workspace,
    runs,
    probe: (name) => (probes ??= buildProbes(workspace.folder("probes")))(name),
    within: (secondsMax) => {
      const endMs = nowMs() + secondsMax * 1000;
      return () => nowMs() < endMs;
    },
    explain: (title, lines) => explained.push({ title, lines }),
  };
}

function machineNow() {
  const bash = spawnSync("bash", ["-c", "echo $BASH_VERSION"], { encoding: "utf8" }).stdout.trim();
  return `Node ${process.version}, bash ${bash}, ${availableParallelism()} cores`;
}
