// @ts-check
import { spawn } from "node:child_process";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { nowMs } from "../proc.js";
import { median, sum } from "../statistics.js";

const ROUNDS = 25;
const QUICK_ROUNDS = 2;
const LINE = `${"x".repeat(149)}\n`;

/** Records of a turn of the builder that completes no milestone, each synced before what it allows. */
const APPENDS_OF_TURN = 5;
/** The command itself, its supervisor and its planner, each started by the one before it. */
const STARTS_TO_ENGINE = 3;

/**
 * What the pieces cost of which a session consists, one at a time, started from Node as wisp does; and the least
 * that a turn and a start can cost if each needs these pieces one after another.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function pieces({ workspace, isQuick, floors }) {
  const rounds = isQuick ? QUICK_ROUNDS : ROUNDS;
  const place = workspace.place();
  const { env, repository } = place;
  const ran = (/** @type {string} */ command, /** @type {readonly string[]} */ args) =>
    runMs(command, args, { cwd: repository, env });
  const clone = join(place.directory, "clone");
  place.must("git", "clone", "-q", "--bare", repository, clone);
  const samples = { true: [], sandbox: [], status: [], fetch: [], append: [], node: [] };
  /** @type {Record<keyof typeof samples, number[]>} */
  const times = samples;
  const log = openSync(join(place.directory, "log"), "a");
  for (let round = 0; round < rounds; round++) {
    times.true.push(await ran("true", []));
    times.sandbox.push(...(await sandboxed(ran)));
    times.node.push(await ran(process.execPath, ["-e", "0"]));
    place.write("work.txt", `${round}\n`);
    times.status.push(await ran("git", ["status", "--porcelain"]));
    place.must("git", "commit", "-qam", `Change ${round}`);
    const into = ["-C", clone, "fetch", "-q", "--no-tags", repository, "main:refs/heads/main"];
    times.fetch.push(await ran("git", into));
    times.append.push(appendMs(log));
  }
  closeSync(log);
  const least = (/** @type {readonly (readonly number[])[]} */ lists) => [sum(lists.map(median))];
  const appends = Array.from({ length: APPENDS_OF_TURN }, () => times.append);
  const starts = Array.from({ length: STARTS_TO_ENGINE }, () => times.node);
  const turn = least([times.sandbox, times.status, times.fetch, ...appends]);
  const start = least([...starts, times.sandbox]);
  floors.set("turn", turn[0] ?? NaN).set("start", start[0] ?? NaN);
  return [
    row("piece: `true`, started by Node", times.true),
    row("piece: the same in bubblewrap", times.sandbox),
    row("piece: `git status` of a small repository", times.status),
    row("piece: `git fetch` of one commit", times.fetch),
    row("piece: append of a record, synced", times.append),
    row("piece: `node -e 0`", times.node),
    row("least gap of the builder: sandbox, status, fetch, 5 appends", turn),
    row("least time to the first engine: 3 starts of Node, sandbox", start),
  ];
}

/**
 * @param {string} metric
 * @param {readonly number[]} wisp
 * @returns {import("../row.js").Row}
 */
function row(metric, wisp) {
  return { metric, unit: "ms", wisp, limit: [], aim: "" };
}

/**
 * Nothing where bubblewrap does not work.
 * @param {(command: string, args: readonly string[]) => Promise<number>} ran
 */
async function sandboxed(ran) {
  const apart = ["--die-with-parent", "--unshare-pid", "--unshare-ipc"];
  const mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  try {
    return [await ran("bwrap", [...apart, ...mounts, "true"])];
  } catch {
    return [];
  }
}

/**
 * From the start of a program until Node knows that it has ended.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
function runMs(command, args, options) {
  const beganMs = nowMs();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve(nowMs() - beganMs);
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

/** @param {number} log */
function appendMs(log) {
  const beganMs = nowMs();
  writeSync(log, LINE);
  fsyncSync(log);
  return nowMs() - beganMs;
}
