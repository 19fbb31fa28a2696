// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const DIRECTORY = join(import.meta.dirname, "peers");
const BIN = join(DIRECTORY, "node_modules", ".bin");
const ENGINE_BIN = join(import.meta.dirname, "programs", "peer-bin");
const INSTALL_MS_MAX = 180_000;
const VERSION_MS_MAX = 20_000;

/**
 * Another loop, in the version that `peers/package.json` names.
 * @typedef {object} Peer
 * @property {string} name of its package
 * @property {string} program
 * @property {readonly string[]} args for a repository with its list of tasks
 * @property {string} how it is run
 * @property {(tasks: number) => { readonly path: string, readonly text: string }} list
 */

const RALPH_TUI = /** @type {const} */ ({
  name: "ralph-tui",
  program: "ralph-tui",
  list: storiesOf,
});
const HEADLESS = [
  ..."run --headless --no-setup --no-notify --agent claude".split(" "),
  ..."--prd prd.json --iterations 0".split(" "),
];

/** @type {readonly Peer[]} */
export const PEERS = [
  {
    name: "ralphy-cli",
    program: "ralphy",
    args: ["--claude", "--fast", "--prd", "PRD.md"],
    how: "as shipped, without a sleep",
    list: checklistOf,
  },
  { ...RALPH_TUI, args: [...HEADLESS, "--delay", "0"], how: "its sleep removed" },
  { ...RALPH_TUI, args: HEADLESS, how: "as shipped" },
];

/** @param {Peer} peer */
export function titleOf({ name, how }) {
  /** @type {{ readonly dependencies: Readonly<Record<string, string>> }} */
  const { dependencies } = JSON.parse(readFileSync(join(DIRECTORY, "package.json"), "utf8"));
  return `${name} ${dependencies[name]}, ${how}`;
}

/** Where a peer finds itself, and the engine under the name of a coding agent. */
export function peerPath() {
  return [ENGINE_BIN, BIN, process.env["PATH"] ?? ""].join(delimiter);
}

/**
 * Has npm install the peers where they are missing.
 * @param {boolean} mayInstall
 * @returns {string | undefined} why they are not there
 */
export function installPeers(mayInstall) {
  if (PEERS.every(({ program }) => existsSync(join(BIN, program)))) return undefined;
  if (!mayInstall) return "not installed, and --quick installs nothing";
  // A lock file would name the registry of whoever made it.
  const words = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  process.stderr.write("npm installs the peers into bench/peers …\n");
  const { status, stderr } = spawnSync("npm", [...words, "--engine-strict=false"], {
    cwd: DIRECTORY,
    encoding: "utf8",
    timeout: INSTALL_MS_MAX,
  });
  return status === 0 ? undefined : `npm could not install it: ${firstLine(stderr ?? "")}`;
}

/**
 * Why a peer does not start on this machine, if it does not.
 * @param {Peer} peer
 * @param {string} home an empty folder
 */
export function whyNotHere({ program }, home) {
  const { status, stderr, error } = spawnSync(join(BIN, program), ["--version"], {
    env: { PATH: peerPath(), HOME: home },
    encoding: "utf8",
    timeout: VERSION_MS_MAX,
  });
  if (status === 0) return undefined;
  return `it does not run here: ${error?.message ?? firstLine(stderr)}`;
}

/** @param {string} text */
function firstLine(text) {
  return text.trim().split("\n")[0] ?? "";
}

/** @param {number} tasks */
function checklistOf(tasks) {
  const lines = Array.from({ length: tasks }, (_, at) => `- [ ] Do task ${at + 1}\n`);
  return { path: "PRD.md", text: lines.join("") };
}

/** @param {number} tasks */
function storiesOf(tasks) {
  const userStories = Array.from({ length: tasks }, (_, at) => ({
    id: `US-${at + 1}`,
    title: `Do task ${at + 1}`,
    description: "Do it.",
    acceptanceCriteria: ["It is done."],
    priority: at + 1,
    passes: false,
    dependsOn: [],
  }));
  const list = { name: "Tasks", description: "Ten", branchName: "main", userStories };
  return { path: "prd.json", text: JSON.stringify(list) };
}
