// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sizeOf, startReporting } from "../modules.js";
import { median } from "../statistics.js";
import { startTraced, traceOf } from "../traced.js";
import { reasonOf } from "../waiting-path.js";

const ROUNDS = 25;
const QUICK_ROUNDS = 3;
const SECONDS_MAX = 30;
const TRACED_ROUNDS = 7;
const TIME_COMMANDS = join(import.meta.dirname, "../programs/time-commands.sh");

/**
 * Commands that do next to nothing, in turn with bare Node: whole processes, wall clock and CPU.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function startUp({ workspace, isQuick }) {
  const place = workspace.place();
  const rounds = String(isQuick ? QUICK_ROUNDS : ROUNDS);
  await place.startWisp("start", "request.md", "--no-up").ended;
  const { execPath } = process;
  const empty = join(place.directory, "empty.cjs");
  writeFileSync(empty, "");
  const reasons = {
    version: sizeOf(await startReporting(place, "--version").loaded),
    status: await statusReason(place, isQuick ? 1 : TRACED_ROUNDS),
  };
  const commands = {
    node: [execPath, "-e", "0"],
    empty: [execPath, empty],
    version: [execPath, workspace.wisp, "--version"],
    help: [execPath, workspace.wisp, "--help"],
    status: [execPath, workspace.wisp, "status"],
  };
  const words = Object.entries(commands).flatMap(([name, argv], at) =>
    at === 0 ? [name, ...argv] : ["::", name, ...argv],
  );
  const printed = place.must("bash", TIME_COMMANDS, rounds, String(SECONDS_MAX), ...words);
  const times = parse(printed);
  const of = (/** @type {string} */ name) => times.filter((time) => time.name === name);
  const node = of("node");
  const row = /** @type {const} */ ({ unit: "ms", limitName: "node -e 0" });
  const middle = (/** @type {string} */ name) => median(of(name).map(({ wallMs }) => wallMs));
  const [whole, least, file] = [middle("version"), middle("node"), middle("empty")];
  const bounds = {
    "--version": `${whole.toFixed(1)} ms = \`node -e 0\` ${least.toFixed(1)}, an empty file instead of -e ${(file - least).toFixed(1)}, ${reasons.version} ${(whole - file).toFixed(1)}`,
    status: reasons.status,
  };
  const both = (/** @type {string} */ name, /** @type {string} */ aim, best = "", bound = "") => [
    {
      ...row,
      metric: `wisp ${name}`,
      wisp: of(name.replace("--", "")).map(({ wallMs }) => wallMs),
      limit: node.map(({ wallMs }) => wallMs),
      aim,
      best,
      ...(bound === "" ? {} : { bound }),
    },
    {
      ...row,
      metric: `wisp ${name}, CPU`,
      wisp: of(name.replace("--", "")).map(({ cpuMs }) => cpuMs),
      limit: node.map(({ cpuMs }) => cpuMs),
      aim: "",
    },
  ];
  return [
    ...both("--version", "≤ 1.2 ×", "ralphy 91, ralph-tui 228", bounds["--version"]),
    ...both("--help", "", "iannuttall 26, ralph-tui 225"),
    ...both("status", "≤ 2 ×", "", bounds.status),
  ];
}

/**
 * What some runs of `wisp status` went to, which are traced and in no row.
 * @param {import("../place.js").Place} place
 * @param {number} rounds
 */
async function statusReason(place, rounds) {
  const intervals = [];
  for (let round = 0; round < rounds; round++) {
    const { launchedMs, ended } = startTraced(place, "status");
    const { endedMs } = await ended;
    intervals.push({ fromMs: launchedMs, toMs: endedMs, path: ["status"] });
  }
  return reasonOf(traceOf(place), intervals);
}

/**
 * Two lines for each command: what `time` printed, then its name, begin and end.
 * @param {string} printed
 */
function parse(printed) {
  const pairs = printed.matchAll(/^([\d.]+) ([\d.]+)\n(\S+) ([\d.]+) ([\d.]+)$/gm);
  return [...pairs].map(([, user, system, name, began, ended]) => ({
    name,
    cpuMs: (Number(user) + Number(system)) * 1000,
    wallMs: (Number(ended) - Number(began)) * 1000,
  }));
}
