// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { planOf } from "./plan.js";
import { startedOf } from "./started.js";
import { median } from "./statistics.js";

/** The difference between two sessions is what their additional milestones cost. */
const MILESTONES = [4, 12];
const QUICK_MILESTONES = [1, 2];
const ROUNDS = 20;
const QUICK_ROUNDS = 2;
const PROGRAM = join(import.meta.dirname, "programs/bare-milestones.cjs");

/** Of a process, or of a thread, which is no program. */
const STARTS = ["fork", "vfork", "clone", "clone3"];
const SYNCS = ["fsync", "fdatasync"];
const OPENS = ["openat"];
const LOOKS = ["stat", "lstat", "newfstatat", "statx"];

/** @typedef {import("./workspace.js").Workspace} Workspace */

/**
 * What wisp's own processes have the system do for one milestone.
 * @typedef {object} Calls
 * @property {number} programs that they start
 * @property {number} syncs
 * @property {number} opens
 * @property {number} looks
 */

/**
 * What a milestone costs at least that needs as many programs, synced appends, opened and looked-up files as one of
 * wisp's: the CPU of bare Node doing nothing but these, in milliseconds, without that of the programs.
 * @param {Workspace} workspace
 * @param {boolean} isQuick
 */
export async function milestoneFloor(workspace, isQuick) {
  const [few = 0, more = 0] = isQuick ? QUICK_MILESTONES : MILESTONES;
  const [less, all] = [await callsOf(workspace, few), await callsOf(workspace, more)];
  const each = (/** @type {keyof Calls} */ of) =>
    Math.max(0, Math.round((all[of] - less[of]) / (more - few)));
  const calls = [each("programs"), each("syncs"), each("opens"), each("looks")];
  const args = [workspace.folder("floor"), isQuick ? QUICK_ROUNDS : ROUNDS, ...calls].map(String);
  const printed = await outputOf(workspace.spawn(process.execPath, [PROGRAM, ...args]));
  const [programs, syncs, opens, looks] = calls;
  return {
    cpuMs: median(JSON.parse(printed)),
    words: `bare Node: ${programs} programs, ${syncs} fsyncs, ${opens} files opened, ${looks} looked up`,
  };
}

/** @param {import("node:child_process").ChildProcess} child */
async function outputOf(child) {
  let printed = "";
  for await (const text of child.stdout?.setEncoding("utf8") ?? []) printed += text;
  return printed;
}

/**
 * A whole session, in which only the calls are counted.
 * @param {Workspace} workspace
 * @param {number} milestones
 * @returns {Promise<Calls>}
 */
async function callsOf(workspace, milestones) {
  const place = workspace.place();
  place.write("request.md", planOf(milestones, 1));
  const directory = workspace.folder("calls");
  const calls = ["execve", ...STARTS, ...SYNCS, ...OPENS, ...LOOKS]
    .map((name) => `?${name}`)
    .join(",");
  const only = ["-e", `trace=${calls}`, "-e", "signal=none", "-s", "300"];
  const { code, stderr } = await place.start("strace", [
    ...["-ff", "-qq", "--seccomp-bpf", ...only, "-o", join(directory, "of")],
    ...[process.execPath, place.wisp, "start", "request.md"],
  ]).ended;
  if (code !== 0) throw new Error(`wisp start ended with ${code}: ${stderr.slice(-500)}`);
  const texts = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  place.remove();
  const lines = texts
    .filter((text) => isWisp(place.wisp, text))
    .flatMap((text) => text.split("\n"));
  const count = (/** @type {readonly string[]} */ names) =>
    lines.filter((line) => names.includes(line.slice(0, line.indexOf("(")))).length;
  return {
    programs: count(STARTS) - lines.filter((line) => line.includes("CLONE_THREAD")).length,
    syncs: count(SYNCS),
    opens: count(OPENS),
    looks: count(LOOKS),
  };
}

/**
 * Whether a thread, or a process, is of wisp.
 * @param {string} wisp
 * @param {string} text what strace wrote of it
 */
function isWisp(wisp, text) {
  const started = startedOf(text);
  return started.length === 0 || started.at(-1)?.includes(wisp) === true;
}
