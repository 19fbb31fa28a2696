// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { planOf } from "../plan.js";
import { memoryMb, nowMs } from "../proc.js";
import { asPoints } from "../row.js";
import { startTraced, traceOf } from "../traced.js";
import { reasonOf } from "../waiting-path.js";

const LINES = 1_000_000;
const QUICK_LINES = 10_000;
const CURVE = [1_000, 10_000, 100_000, 1_000_000];
const CURVE_OF = { curve: "Logs of more and more lines", of: "lines" };
/** What takes longer is given up, which is said, and counts as this much. */
const WAIT_MS_MAX = 30_000;
const AIM_MS = 2_000;
/** A process writes what it has traced within 0.2 s. */
const TRACE_WRITTEN_MS = 400;
const PROGRAMS = join(import.meta.dirname, "../programs");

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * A role and `wisp status` over logs of a million lines, and the same over short ones.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export function resume(context) {
  return resumeAt(context, context.isQuick ? QUICK_LINES : LINES, true);
}

/**
 * The same for logs of more and more lines.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function logLines(context) {
  const rows = [];
  for (const lines of context.pointsOf(CURVE)) {
    process.stderr.write(`  ${lines} lines\n`);
    rows.push(...asPoints(await resumeAt(context, lines, false), { ...CURVE_OF, at: lines }));
  }
  return rows;
}

/**
 * @param {Context} context
 * @param {number} lines
 * @param {boolean} isExplained whether it is measured what limits the rows
 * @returns {Promise<readonly Row[]>}
 */
async function resumeAt({ workspace, probe }, lines, isExplained) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, 3), BENCH_BLOCK: "review-commit" });
  await place.startWisp("start", "request.md", "--no-up").ended;
  place.startWisp("agent", "planner");
  place.startWisp("agent", "builder");
  // TASKS.md follows the record; if it lagged behind, `wisp status` would look for an edit of it in all of the log.
  const isBuilt = () =>
    place.records("builder").some(({ line }) => / outcome=milestone/.test(line)) &&
    !readFileSync(place.home("TASKS.md"), "utf8").includes("[ ]");
  await place.until("the milestone", isBuilt);
  await place.killAll();
  const short = { role: await startReviewer(place), status: await status(place) };
  place.forgetReviewer();
  place.must(process.execPath, probe("write-long-logs"), place.home("."), String(lines));
  const first = await startReviewer(place);
  const again = await startReviewer(place);
  const long = { first, again, status: await status(place) };
  const reasons = isExplained ? await tracedReasons(place) : undefined;
  const logs = ["builder", "reviewer"].map((role) => place.home(`logs/${role}.log`));
  const beganMs = nowMs();
  place.must(process.execPath, join(PROGRAMS, "count-lines.mjs"), ...logs);
  return rowsOf(lines, { short, long, reasons, countedMs: nowMs() - beganMs });
}

/**
 * The same once more, traced and in no row: without what the roles have kept, then with it.
 * @param {Place} place
 */
async function tracedReasons(place) {
  place.forgetSnapshots();
  const first = await startReviewer(place, startTraced);
  const again = await startReviewer(place, startTraced);
  const shown = startTraced(place, "status");
  const { endedMs } = await shown.ended;
  const trace = traceOf(place);
  const within = (/** @type {number} */ fromMs, /** @type {number} */ ms, path = ["reviewer"]) =>
    reasonOf(trace, [{ fromMs, toMs: fromMs + ms, path }]);
  const both = ({ launchedMs, startMs, engineMs } = first) => ({
    start: within(launchedMs, startMs),
    engine: within(launchedMs, engineMs),
  });
  const status = within(shown.launchedMs, endedMs - shown.launchedMs, ["status"]);
  return { first: both(first), again: both(again), status };
}

/** @type {typeof startTraced} */
const startUntraced = (place, ...words) => place.startWisp(...words);

/** @typedef {{ readonly startMs: number, readonly engineMs: number, readonly peakMb: number }} Started */
/** @typedef {{ readonly wallMs: number, readonly peakMb: number }} Shown */

/**
 * @param {number} lines
 * @param {object} measured
 * @param {{ readonly role: Started, readonly status: Shown }} measured.short
 * @param {{ readonly first: Started, readonly again: Started, readonly status: Shown }} measured.long
 * @param {Awaited<ReturnType<typeof tracedReasons>> | undefined} measured.reasons
 * @param {number} measured.countedMs
 * @returns {readonly Row[]}
 */
function rowsOf(lines, { short, long, reasons, countedMs }) {
  const title = `${lines.toLocaleString("en-US")} lines`;
  const time = /** @type {const} */ ({
    unit: "ms",
    limit: [countedMs],
    limitName: "Node, lines counted",
    aim: `≤ ${AIM_MS} ms`,
  });
  const memory = /** @type {const} */ ({
    unit: "MB",
    limitName: "short logs",
    aim: "≤ 1.2 ×",
  });
  /** @type {(what: string, ms: number, bound: string | undefined) => Row} */
  const timed = (what, ms, bound = elsewhere(what, ms)) => ({
    ...time,
    ...(bound === undefined ? {} : { bound }),
    metric: `${title}: ${what}`,
    wisp: [ms],
    ...(ms === WAIT_MS_MAX ? { note: "given up" } : {}),
  });
  /** @type {(what: string, long: Shown | Started, short: Shown | Started) => Row} */
  const remembered = (what, at, than) => ({
    ...memory,
    metric: `${title}: ${what}'s peak RSS`,
    wisp: [at.peakMb],
    limit: [than.peakMb],
    bound: `${what}: ${moreThan(lines, at.peakMb, than.peakMb)}`,
  });
  return [
    timed("role started, at first", long.first.startMs, reasons?.first.start),
    timed("its engine runs, at first", long.first.engineMs, reasons?.first.engine),
    timed("role started, once more", long.again.startMs, reasons?.again.start),
    timed("its engine runs, once more", long.again.engineMs, reasons?.again.engine),
    timed("wisp status", long.status.wallMs, reasons?.status),
    remembered("role at first", long.first, short.role),
    remembered("role once more", long.again, short.role),
    remembered("status", long.status, short.status),
  ];
}

/**
 * Where the parts of a point of the curve are that misses its aim: `resume` measures those of its longest logs.
 * @param {string} what
 * @param {number} ms
 */
function elsewhere(what, ms) {
  return ms > AIM_MS ? `${what}: its parts are under “What limits each row”` : undefined;
}

/**
 * @param {number} lines
 * @param {number} mb
 * @param {number} shortMb
 */
function moreThan(lines, mb, shortMb) {
  const bytes = ((mb - shortMb) * 1024 ** 2) / lines;
  return `${(mb - shortMb).toFixed(0)} MB more than with short logs, ${bytes.toFixed(0)} bytes a line`;
}

/**
 * From the command to the reviewer's first record, which follows its reading, and to its engine.
 * @param {Place} place
 * @param {typeof startTraced} [launch]
 */
async function startReviewer(place, launch = startUntraced) {
  place.forgetTurns();
  const command = launch(place, "agent", "reviewer");
  const start = () => place.lastRecord("reviewer", `role.start pid=${command.pid}`);
  const { launchedMs } = command;
  const give = { launchedMs, startMs: WAIT_MS_MAX, engineMs: WAIT_MS_MAX, peakMb: NaN };
  try {
    await place.until("the reviewer", () => start() !== undefined, WAIT_MS_MAX);
    give.startMs = (start()?.timeMs ?? NaN) - command.launchedMs;
    await place.until("its engine", () => place.turns().length > 0, WAIT_MS_MAX - give.startMs);
    give.engineMs = (place.turns()[0]?.beganMs ?? NaN) - command.launchedMs;
  } catch {
    // It takes too long, which is what is told.
  }
  give.peakMb = memoryMb(command.pid).peak;
  if (launch === startTraced) await sleep(TRACE_WRITTEN_MS);
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
