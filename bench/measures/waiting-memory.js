// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { memoryOf, memoryReason, roleOf, startFloor } from "../idle.js";
import { sizeOf, startReporting } from "../modules.js";
import { kill, memoryMb, processesOf } from "../proc.js";

/** @typedef {import("../place.js").Place} Place */

/**
 * The files that a role has loaded when it waits, without the program's first one, which would run it.
 * @param {import("../row.js").Context["workspace"]} workspace
 */
export async function loadedByRole(workspace) {
  const place = workspace.place();
  await place.startWisp("start", "request.md", "--no-up").ended;
  const { pid, loaded } = startReporting(place, "agent", "tester");
  await place.until("the tester", () => place.records("tester").length > 0);
  kill(pid, "SIGTERM");
  const paths = await loaded;
  await place.killAll();
  return paths.filter((path) => path !== place.wisp);
}

/**
 * What memory the processes of a session have that waits, against one and as many of bare Node.
 * @param {Place} place
 * @param {readonly string[]} loaded the files that a role has loaded
 */
export async function memoryRows(place, loaded) {
  const node = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1e9)"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(node.stdout, "data");
  const one = memoryMb(node.pid ?? 0);
  node.kill();
  const all = processesOf(place);
  const ours = all.filter(({ line }) => line.includes(place.wisp));
  const used = ours.map(({ pid }) => memoryMb(pid));
  const { pss, alone } = memoryOf(ours.map(({ pid }) => pid));
  const floor = await startFloor(place, ours.length, loaded);
  const names = ours.map(({ line }, at) => ({
    name: roleOf(place, line),
    own: used[at]?.own ?? NaN,
  }));
  const bound = memoryReason(names, floor.pids, sizeOf(loaded));
  floor.end();
  const row = /** @type {const} */ ({ unit: "MB", limitName: "one bare Node", bound });
  /** @type {import("../row.js").Row[]} */
  const rows = [
    {
      ...row,
      metric: "memory of supervisor and roles, PSS",
      wisp: [pss],
      limit: [one.pss],
      aim: "≤ 170 MB",
      best: "one process: ralphy 79, ralph-tui 86",
    },
    {
      ...row,
      metric: "the same if nothing else ran Node",
      wisp: [alone],
      limit: [one.rss],
      aim: "≤ 170 MB (4.2 ×)",
    },
    { metric: "processes of the session", unit: "", wisp: [all.length], limit: [2], aim: "" },
  ];
  const lines = ours.map(({ line }, at) => {
    const { rss = NaN, pss = NaN, own = NaN } = used[at] ?? {};
    const [words] = line.split(place.wisp).slice(1);
    return `${(words ?? "").trim().padEnd(28)} RSS ${rss.toFixed(1)}  PSS ${pss.toFixed(1)}  own ${own.toFixed(1)} MB`;
  });
  return { rows, lines };
}
