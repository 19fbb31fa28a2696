// @ts-check
import { planOf } from "../plan.js";
import { memoryMb } from "../proc.js";
import { asPoints } from "../row.js";
import { startTraced, traceOf } from "../traced.js";
import { reasonOf } from "../waiting-path.js";

const CURVE = [10, 100, 1_000, 10_000];
const CURVE_OF = { curve: "Findings", of: "findings" };
const WAIT_MS_MAX = 120_000;

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * More and more findings that a person adds: what each costs the reviewer that takes it over, and what commands
 * that show them cost. A point that takes too long is given up, and larger ones are not begun.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function findings({ workspace, pointsOf, probe }) {
  const place = workspace.place({ BENCH_PLAN: planOf(1, 1), BENCH_BLOCK: "plan" });
  await place.startWisp("start", "request.md", "--no-up").ended;
  const empty = { status: await shown(place, "status"), list: await shown(place, "findings") };
  /** @type {Row[]} */
  const all = [];
  let adopted = 0;
  for (const count of pointsOf(CURVE)) {
    process.stderr.write(`  ${count} findings\n`);
    const title = `${count.toLocaleString("en-US")} findings`;
    place.must(process.execPath, probe("write-findings"), place.home("."), String(count - adopted));
    const taken = await takeOver(place, count);
    const cost = /** @type {const} */ ({ unit: "ms", aim: "flat" });
    /** @type {Row[]} */
    const rows = [];
    rows.push({
      ...cost,
      metric: `${title}: taken over, each`,
      wisp: [taken.eachMs],
      limit: [],
      ...(taken.isDone ? {} : { note: `given up after ${taken.count} of ${count}` }),
    });
    rows.push(memoryRow(title, taken.peakMb));
    adopted = count;
    if (taken.isDone) {
      const show = { ...cost, limitName: "no finding" };
      const status = [await shown(place, "status")];
      const list = [await shown(place, "findings")];
      const bound = {
        status: await reason(place, "status"),
        list: await reason(place, "findings"),
      };
      rows.push({
        ...{ ...show, metric: `${title}: wisp status`, wisp: status, limit: [empty.status] },
        bound: `wisp status, ${bound.status}`,
      });
      rows.push({
        ...{ ...show, metric: `${title}: wisp findings`, wisp: list, limit: [empty.list] },
        bound: `wisp findings, ${bound.list}`,
      });
    }
    all.push(...asPoints(rows, { ...CURVE_OF, at: count }));
    if (!taken.isDone) break;
  }
  return all;
}

/**
 * @param {string} title
 * @param {number} peakMb
 * @returns {Row}
 */
function memoryRow(title, peakMb) {
  return {
    metric: `${title}: reviewer's peak RSS`,
    unit: "MB",
    wisp: [peakMb],
    limit: [],
    aim: "",
  };
}

/**
 * @param {Place} place
 * @param {number} wanted
 */
async function takeOver(place, wanted) {
  const taken = () => place.records("reviewer").filter(({ kind }) => kind === "adopt.end");
  const before = taken().length;
  const reviewer = place.startWisp("agent", "reviewer");
  const isDone = await place
    .until("the findings", () => taken().length >= wanted, WAIT_MS_MAX)
    .then(() => true)
    .catch(() => false);
  const peakMb = memoryMb(reviewer.pid).peak;
  await place.killAll();
  const those = taken().slice(before);
  const tookMs = (those.at(-1)?.timeMs ?? NaN) - (those[0]?.timeMs ?? NaN);
  return { eachMs: tookMs / (those.length - 1), count: before + those.length, isDone, peakMb };
}

/**
 * @param {Place} place
 * @param {string} command
 */
async function shown(place, command) {
  const { launchedMs, ended } = place.startWisp(command);
  const { code, endedMs, stderr } = await ended;
  if (code !== 0) throw new Error(`wisp ${command} ended with ${code}: ${stderr}`);
  return endedMs - launchedMs;
}

/**
 * What a command's time goes to, measured in one more run that is in no row.
 * @param {Place} place
 * @param {string} command
 */
async function reason(place, command) {
  const { launchedMs, ended } = startTraced(place, command);
  const { endedMs } = await ended;
  return reasonOf(traceOf(place), [{ fromMs: launchedMs, toMs: endedMs, path: [command] }]);
}
