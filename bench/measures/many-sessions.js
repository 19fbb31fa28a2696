// @ts-check
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asPoints } from "../row.js";

const CURVE = [1, 10, 100, 1_000];
const QUICK_CURVE = [1, 3];
const CURVE_OF = { curve: "Sessions of one repository", of: "sessions" };

/** @typedef {import("../row.js").Row} Row */

/**
 * More and more sessions of one repository that have not begun: how long `wisp list` takes, and the start of one more.
 * Their homes are copies of one.
 * @param {import("../row.js").Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function manySessions({ workspace, isQuick, pointsOf }) {
  const place = workspace.place();
  await ran(place, "start", "request.md", "--no-up");
  const homes = join(place.repository, ".wisp", "sessions");
  const first = join(homes, "a-request");
  /** @type {Row[]} */
  const all = [];
  let made = 1;
  for (const count of pointsOf(isQuick ? QUICK_CURVE : CURVE)) {
    process.stderr.write(`  ${count} of one repository\n`);
    for (; made < count; made++) copyHome(first, join(homes, `copy-${made}`), `copy-${made}`);
    const listed = await ran(place, "list");
    place.write("another.md", `# Another request ${count}\n\nDo more.\n`);
    const started = await ran(place, "start", "another.md", "--no-up");
    const row = /** @type {const} */ ({ unit: "ms", limit: [], aim: "" });
    const title = `${count} of one repository`;
    const rows = [
      { ...row, metric: `${title}: wisp list`, wisp: [listed] },
      { ...row, metric: `${title}: start of one more`, wisp: [started] },
    ];
    all.push(...asPoints(rows, { ...CURVE_OF, at: count }));
  }
  await place.killAll();
  return all;
}

/**
 * Runs a command to its end, and tells how long it took, in ms.
 * @param {import("../place.js").Place} place
 * @param {...string} words
 */
async function ran(place, ...words) {
  const { launchedMs, ended } = place.startWisp(...words);
  const { code, endedMs, stderr } = await ended;
  if (code !== 0) throw new Error(`wisp ${words.join(" ")}: ${stderr}`);
  return endedMs - launchedMs;
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} id
 */
function copyHome(from, to, id) {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const path = join(to, "session.json");
  const text = readFileSync(path, "utf8");
  const session = { ...JSON.parse(text), id, branch: `wisp/${id}` };
  writeFileSync(path, `${JSON.stringify(session, undefined, 2)}\n`);
}
