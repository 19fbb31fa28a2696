// @ts-check
// Runs sessions with the engine `replay` on a cluster of Slurm that it starts on this machine, all at once, until all of
// them are complete here, and prints what that took. Needs root, Debian's slurm-wlm and munge, and a built `dist`.
//
//     node bench/fleet/slurm.js [<sessions, else 30>]
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { killWith } from "../proc.js";
import { machineNow } from "../machine.js";
import { isComplete, whatDiffers } from "./check.js";
import { Gauge } from "./gauge.js";
import { makeFleet } from "./make-fleet.js";

const run = promisify(execFile);
const CLUSTER = join(import.meta.dirname, "../../test/executors/slurm-up.sh");
const WISP = join(import.meta.dirname, "../../dist/wisp.js");
/** So many starts run at once: each waits for its job most of the time. */
const STARTS_AT_ONCE = 4;
const LOOK_MS = 500;
const WAIT_MS_MAX = 20 * 60_000;

const count = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), "wisp-fleet-"));
const paths = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
const marker = `HOME=${join(folder, "home")}`;
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void endAll());
try {
  const cluster = join(folder, "cluster");
  const { stdout } = await run(CLUSTER, ["up", cluster, String(count)], { env: { PATH: paths } });
  const variables = Object.fromEntries(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=", 2)),
  );
  await runAll({ PATH: paths, ...variables });
} finally {
  await endAll();
}

async function endAll() {
  await killWith(marker);
  await run(CLUSTER, ["down", join(folder, "cluster")], { env: { PATH: paths } });
  await killWith(marker);
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Readonly<Record<string, string>>} cluster the environment of its clients */
async function runAll(cluster) {
  const fleet = makeFleet(folder, count);
  const env = { ...cluster, HOME: join(folder, "home"), GIT_CONFIG_SYSTEM: "/dev/null" };
  const gauge = new Gauge(marker, env);
  const beganMs = Date.now();
  const begun = /** @type {Map<string, number>} */ (new Map());
  const ended = /** @type {Map<string, number>} */ (new Map());
  const queue = [...fleet.sessions];
  const starting = Array.from({ length: STARTS_AT_ONCE }, async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      begun.set(id, Date.now());
      const words = [WISP, "start", `${id}.md`, "--on", "cluster", "--yes", "--detach"];
      await run(process.execPath, words, { cwd: fleet.repository, env });
      console.error(`${id} was started after ${seconds(Date.now() - beganMs)} s`);
    }
    return Date.now();
  });
  const started = Promise.all(starting);
  let failed = false;
  started.catch(() => (failed = true));
  while (ended.size < count && !failed && Date.now() - beganMs < WAIT_MS_MAX) {
    await gauge.look();
    for (const id of fleet.sessions) {
      if (!ended.has(id) && isComplete(fleet, id)) ended.set(id, Date.now());
    }
    await sleep(LOOK_MS);
  }
  const startedMs = Math.max(...(await started)) - beganMs;
  const wallMs = Math.max(...ended.values()) - beganMs;
  await gauge.look();
  const wrong = await whatDiffers(fleet);
  const took = fleet.sessions.map((id) => (ended.get(id) ?? NaN) - (begun.get(id) ?? NaN));
  report({ complete: ended.size, wrong, wallMs, startedMs, took, gauge });
}

/**
 * @param {{ complete: number, wrong: readonly string[], wallMs: number, startedMs: number, took: number[], gauge: Gauge }} figures
 */
function report({ complete, wrong, wallMs, startedMs, took, gauge }) {
  const sorted = took.toSorted((one, other) => one - other);
  const { followers, clients, jobs, load } = gauge.peak();
  const rows = {
    machine: machineNow(),
    "load of the machine, before and at most": load.map((one) => one.toFixed(1)).join(", "),
    "sessions, and complete of them": `${count}, ${complete}`,
    "mirrors or branches that differ": wrong.length === 0 ? "none" : wrong.join("; "),
    "until all are complete here": `${seconds(wallMs)} s`,
    "until all are started": `${seconds(startedMs)} s`,
    "a session, from its start to its end here": `${seconds(sorted[Math.floor(count / 2)] ?? NaN)} s (${seconds(sorted[0] ?? NaN)}–${seconds(sorted.at(-1) ?? NaN)})`,
    "jobs that ran at once": String(jobs),
    "followers at once": String(followers.count),
    "memory of all followers, private": `${megabytes(followers.bytes)} MB`,
    "the same of their srun": `${megabytes(clients.bytes)} MB (${clients.count} processes)`,
    "CPU of all followers": `${seconds(gauge.cpuMs("follower"))} s`,
    "bytes that followers were sent": `${megabytes(gauge.sentBytes())} MB`,
  };
  for (const [name, value] of Object.entries(rows)) console.log(`${name}: ${value}`);
  process.exitCode = complete === count && wrong.length === 0 ? 0 : 1;
}

/** @param {number} ms */
function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
