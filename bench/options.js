// @ts-check
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const BINARY = join(ROOT, "dist", "wisp.js");
const RUNS = 3;
/** More than any curve has. */
const POINTS_MAX = 99;

/**
 * @typedef {object} Options
 * @property {readonly string[]} names of measures, in order
 * @property {number} runs
 * @property {boolean} isQuick
 * @property {number} points of each curve
 * @property {string} binary
 * @property {string | undefined} json
 * @property {boolean} isForResults whether RESULTS.md is written
 * @property {string | undefined} from a report as JSON that is written as results, instead of measuring
 * @property {readonly string[]} curves reports of other runs, as JSON, whose curves RESULTS.md shows too
 * @property {string | undefined} before the samples of an earlier build, to compare with in RESULTS.md
 */

/**
 * What the command line asks for.
 * @param {{ readonly usual: readonly string[], readonly scaling: readonly string[], readonly long: readonly string[] }} measures
 * @returns {Options | { readonly help: string, readonly isAsked: boolean }}
 */
export function parseOptions({ usual, scaling, long }) {
  const help = `node bench/run.js [--quick] [--only NAME]… [--runs N] [--points N] [--json FILE] [--results [--before FILE] [--curves FILE]… [--from FILE]] [--binary FILE]

Measures dist/wisp.js against bare loops in the same run: ${usual.join(", ")}.
--only scaling: how costs grow, which takes up to two hours: ${scaling.join(", ")}.
--only ${long.join(", ")}: by command only, in minutes.
--quick: everything once and small, within about a minute, only to see that it runs.
--runs: how often sessions are run (${RUNS}). --points: how many of each curve, from the smallest. --binary: another wisp.js, in its package.
--json: every sample, with the commit. --results: writes bench/RESULTS.md and bench/results.json.
--before: the --json of another build, measured in the same hour on the same machine, to compare with in RESULTS.md.
--curves: the --json of another run, whose curves are shown too. --from: the --json of a run, which is written instead of measuring anew.`;
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: String(RUNS) },
      points: { type: "string", default: String(POINTS_MAX) },
      json: { type: "string" },
      before: { type: "string" },
      from: { type: "string" },
      curves: { type: "string", multiple: true, default: [] },
      results: { type: "boolean", default: false },
      binary: { type: "string", default: BINARY },
      help: { type: "boolean", default: false },
    },
  });
  const all = values.quick ? [...usual, ...scaling, ...long] : usual;
  const named = values.only.flatMap((name) => (name === "scaling" ? scaling : [name]));
  const names = named.length > 0 ? named : all;
  const unknown = names.filter((name) => ![...usual, ...scaling, ...long].includes(name));
  const [runs, points] = [values.runs, values.points].map((n) => (values.quick ? 1 : Number(n)));
  if (values.help) return { help, isAsked: true };
  if (unknown.length > 0 || !isCount(runs) || !isCount(points)) {
    const refused = unknown.map((name) => `There is no ${name}.\n`).join("");
    return { help: `${refused}${help}`, isAsked: false };
  }
  const { quick: isQuick, results: isForResults, json, before, from, curves } = values;
  const binary = resolve(values.binary);
  return { names, runs, points, isQuick, binary, json, before, from, curves, isForResults };
}

/**
 * @param {number | undefined} number
 * @returns {number is number}
 */
function isCount(number) {
  return Number.isSafeInteger(number) && (number ?? 0) > 0;
}
