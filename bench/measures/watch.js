// @ts-check
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { percentile } from "../statistics.js";

const APPENDS = 300;
const QUICK_APPENDS = 30;
/** Until it sees one, the bare loop is given lines: `tail` does not say when it watches. */
const KNOCK_MS = 50;
const WATCH_NODE = join(import.meta.dirname, "../programs/watch-node.cjs");
const WATCH_LOOP = join(import.meta.dirname, "../programs/watch-loop.sh");

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * From an append in one process to the record in the hands of another, through the shipped watcher.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function watch({ workspace, isQuick, probe }) {
  const appends = String(isQuick ? QUICK_APPENDS : APPENDS);
  const directory = workspace.folder("watch");
  const log = join(directory, "shipped.log");
  const bareLog = join(directory, "bare.log");
  const write = (/** @type {string} */ path) =>
    workspace.spawn(process.execPath, [probe("watch-writer"), path, appends]);
  const reader = workspace.spawn(process.execPath, [probe("watch-reader"), log]);
  const shipped = await latencies(reader, { isReady: /^ready$/m, write: () => write(log) });
  appendFileSync(bareLog, "begun\n");
  const loop = workspace.spawn("bash", [WATCH_LOOP, bareLog]);
  const knocking = setInterval(() => appendFileSync(bareLog, "knock\n"), KNOCK_MS);
  const bare = await latencies(loop, {
    isReady: /knock$/m,
    write: () => {
      clearInterval(knocking);
      write(bareLog);
    },
  });
  const nodeLog = join(directory, "node.log");
  appendFileSync(nodeLog, "begun\n");
  const alone = workspace.spawn(process.execPath, [WATCH_NODE, nodeLog]);
  const floor = await latencies(alone, { isReady: /^ready$/m, write: () => write(nodeLog) });
  const least = (/** @type {number} */ share) =>
    `floor, \`fs.watch\` and a read in bare Node: ${percentile(floor, share).toFixed(2)} ms`;
  const row = /** @type {const} */ ({ unit: "ms", limitName: "tail -F loop" });
  return [
    {
      ...row,
      metric: "append → record in view, p50",
      wisp: shipped,
      limit: bare,
      aim: "≤ 3 ms",
      best: "C inotify 0.02, chokidar change 24",
      bound: least(0.5),
    },
    {
      ...row,
      metric: "append → record in view, p99",
      wisp: [percentile(shipped, 0.99)],
      limit: [percentile(bare, 0.99)],
      aim: "≤ 15 ms",
      best: "C inotify 0.25, chokidar change 58",
      bound: least(0.99),
    },
  ];
}

/**
 * How long each record was on its way. The listener prints for each `<seconds> … <seconds when written>`,
 * and for the last one a line that ends in `end`.
 * @param {ChildProcess} listener
 * @param {{ readonly isReady: RegExp, readonly write: () => void }} writing
 * @returns {Promise<readonly number[]>}
 */
function latencies(listener, { isReady, write }) {
  return new Promise((resolve, reject) => {
    let text = "";
    let isWriting = false;
    listener.on("exit", (code) => reject(new Error(`a listener ended with ${code}`)));
    listener.stdout?.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (!isWriting && isReady.test(text)) {
        isWriting = true;
        write();
      }
      if (!/end\n$/.test(text)) return;
      const times = [...text.matchAll(/^(\d+\.\d+) .*?(\d+\.\d+)$/gm)];
      resolve(times.map(([, arrived, written]) => (Number(arrived) - Number(written)) * 1000));
      listener.kill();
    });
  });
}
