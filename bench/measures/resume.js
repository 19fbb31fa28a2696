// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planOf } from "../plan.js";
import { memoryMb, nowMs } from "../proc.js";

const LINES = 1_000_000;
/** What takes longer is given up, which is said, and counts as this much. */
const WAIT_MS_MAX = 30_000;
const PROGRAMS = join(import.meta.dirname, "../programs");

/** @typedef {import("../place.js").Place} Place */

/**
 * A role and `wisp status` over logs of a million lines, and the same over short ones. The role is
 * started twice: the first time, no process has read these logs before.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly import("../row.js").Row[]>}
 */
export async function resume({ workspace, probe }) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, 3), BENCH_BLOCK: "review-commit" });
  await place.startWisp("start", "request.md", "--no-up").ended;
  place.startWisp("agent", "planner");
  place.startWisp("agent", "builder");
  const isBuilt = () =>
    place.records("builder").some(({ line }) => / outcome=milestone/.test(line));
  await place.until("the milestone", isBuilt);
  await place.killAll();
  const short = { role: await startReviewer(place), status: await status(place) };
  place.forgetReviewer();
  place.must(process.execPath, probe("write-long-logs"), place.home("."), String(LINES));
  const long = {
    role: await startReviewer(place),
    again: await startReviewer(place),
    status: await status(place),
  };
  const logs = ["builder", "reviewer"].map((role) => place.home(`logs/${role}.log`));
  const beganMs = nowMs();
  place.must(process.execPath, join(PROGRAMS, "count-lines.mjs"), ...logs);
  const counted = [nowMs() - beganMs];
  const bound = long.role.engineMs < WAIT_MS_MAX ? "" : " (given up)";
  const time = /** @type {const} */ ({
    unit: "ms",
    limit: counted,
    limitName: "Node, lines counted",
    aim: "≤ 2000 ms",
  });
  const memory = /** @type {const} */ ({ unit: "MB", limitName: "short logs", aim: "flat: 1 ×" });
  return [
    { ...time, metric: "1,000,000 lines: role started", wisp: [long.role.startMs] },
    { ...time, metric: `1,000,000 lines: its engine runs${bound}`, wisp: [long.role.engineMs] },
    { ...time, metric: "1,000,000 lines: role started again", wisp: [long.again.startMs] },
    { ...time, metric: "1,000,000 lines: its engine runs again", wisp: [long.again.engineMs] },
    { ...time, metric: "1,000,000 lines: wisp status", wisp: [long.status.wallMs] },
    {
      ...memory,
      metric: "1,000,000 lines: role's peak RSS",
      wisp: [long.role.peakMb],
      limit: [short.role.peakMb],
    },
    {
      ...memory,
      metric: "1,000,000 lines: peak RSS of the role started again",
      wisp: [long.again.peakMb],
      limit: [short.role.peakMb],
    },
    {
      ...memory,
      metric: "1,000,000 lines: status' peak RSS",
      wisp: [long.status.peakMb],
      limit: [short.status.peakMb],
    },
  ];
}

/**
 * From the command to the reviewer's first record, which follows its reading, and to its engine.
 * @param {Place} place
 */
async function startReviewer(place) {
  place.forgetTurns();
  const command = place.startWisp("agent", "reviewer");
  const start = () => place.lastRecord("reviewer", `role.start pid=${command.pid}`);
  const give = { startMs: WAIT_MS_MAX, engineMs: WAIT_MS_MAX, peakMb: NaN };
  try {
    await place.until("the reviewer", () => start() !== undefined, WAIT_MS_MAX);
    give.startMs = (start()?.timeMs ?? NaN) - command.launchedMs;
    await place.until("its engine", () => place.turns().length > 0, WAIT_MS_MAX - give.startMs);
    give.engineMs = (place.turns()[0]?.beganMs ?? NaN) - command.launchedMs;
  } catch {
    // It takes too long, which is what is told.
  }
  give.peakMb = memoryMb(command.pid).peak;
  await place.killAll();
  return give;
}

/** @param {Place} place */
async function status(place) {
  const usagePath = join(place.directory, "usage.json");
  const report = ["--require", join(PROGRAMS, "report-usage.cjs")];
  const command = place.start(process.execPath, [...report, place.wisp, "status"], {
    BENCH_USAGE: usagePath,
  });
  const { code, endedMs, stderr } = await command.ended;
  if (code !== 0) throw new Error(`wisp status ended with ${code}: ${stderr}`);
  /** @type {{ readonly maxRssKb: number }} */
  const { maxRssKb } = JSON.parse(readFileSync(usagePath, "utf8"));
  return { wallMs: endedMs - command.launchedMs, peakMb: maxRssKb / 1024 };
}
