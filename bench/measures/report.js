// @ts-check
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { planOf } from "../plan.js";
import { nowMs } from "../proc.js";

const MILESTONES = 1_000;
const QUICK_MILESTONES = 10;
/** So that each milestone has about four turns of builder and reviewer. */
const LINES_PER_MILESTONE = 22;

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * The report of a session of a thousand milestones: made by the command, and opened in Chromium until it is drawn.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function reports({ workspace, isQuick, runs, probe }) {
  const count = isQuick ? QUICK_MILESTONES : MILESTONES;
  const place = workspace.place({ BENCH_BLOCK: "build" });
  place.write("request.md", planOf(count, 1));
  await place.startWisp("start", "request.md", "--no-up").ended;
  place.startWisp("agent", "planner");
  place.startWisp("agent", "builder");
  const isAdopted = () => place.records("builder").some(({ kind }) => kind === "plan.adopt");
  await place.until("the plan", isAdopted);
  await place.killAll();
  const lines = String(count * LINES_PER_MILESTONE);
  place.must(process.execPath, probe("write-long-logs"), place.home("."), lines);
  const path = join(place.directory, "report.html");
  const made = [];
  for (let run = 0; run < runs; run += 1) made.push(await make(place, path));
  const title = `report of ${count.toLocaleString("en-US")} milestones`;
  const opened = await open(path, { runs, count });
  const row = /** @type {const} */ ({ unit: "ms", limit: [] });
  return [
    { ...row, metric: `${title}: wisp report --html`, wisp: made, aim: "" },
    { ...row, metric: `${title}: opened and drawn`, ...opened, aim: "≤ 2000 ms" },
  ];
}

/**
 * @param {Place} place
 * @param {string} path
 */
async function make(place, path) {
  const { launchedMs, ended } = place.startWisp("report", "--html", path);
  const { code, endedMs, stderr } = await ended;
  if (code !== 0) throw new Error(`wisp report ended with ${code}: ${stderr}`);
  return endedMs - launchedMs;
}

/**
 * From the address to the second frame that is drawn, each time in a page of its own.
 * @param {string} path
 * @param {{ readonly runs: number, readonly count: number }} options
 * @returns {Promise<Pick<Row, "wisp" | "note">>}
 */
async function open(path, { runs, count }) {
  const found = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" });
  const executablePath = found.stdout.trim();
  if (executablePath === "") return { wisp: [], note: "Chromium is not installed" };
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const wisp = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const page = await browser.newPage();
      const beganMs = nowMs();
      await page.goto(pathToFileURL(path).href);
      await page.evaluate(TWO_FRAMES);
      wisp.push(nowMs() - beganMs);
      const rows = await page.locator("#milestones tbody tr").count();
      if (rows < count) throw new Error(`the page has ${rows} of ${count} milestones`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return { wisp };
}

/** Runs in the page. */
const TWO_FRAMES = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`;
