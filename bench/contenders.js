// @ts-check
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { delimiter } from "node:path";
import { peerPath, titleOf } from "./peers.js";
import { planOf } from "./plan.js";

const PROGRAMS = join(import.meta.dirname, "programs");
const PROBE_MS_MAX = 10_000;

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./workspace.js").Workspace} Workspace */

/**
 * A command that has the engine do tasks, in a place of its own.
 * @typedef {object} Contender
 * @property {string} title
 * @property {(workspace: Workspace) => Place} place
 * @property {(place: Place) => readonly string[]} command
 */

/** Whether bubblewrap works here. */
export function isConfining() {
  const words = ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"];
  return spawnSync("bwrap", words, { timeout: PROBE_MS_MAX }).status === 0;
}

/**
 * wisp on a project with a verify, as shipped otherwise: its reviewers, and bubblewrap where that works.
 * @param {number} milestones
 * @param {number} tasks in each
 * @returns {Contender}
 */
export function wispOn(milestones, tasks) {
  const project = tested(milestones * tasks);
  return {
    title: "wisp",
    place: (workspace) => {
      const path = [join(PROGRAMS, "bin"), process.env["PATH"] ?? ""].join(delimiter);
      return workspace.place({ BENCH_PLAN: planOf(milestones, tasks), PATH: path }, project);
    },
    command: ({ wisp }) => [process.execPath, wisp, "start", "request.md"],
  };
}

/**
 * @param {number} milestones
 * @param {number} tasks
 * @returns {Contender}
 */
export function bareOn(milestones, tasks) {
  return {
    title: "bare bash loop",
    place: (workspace) => {
      const place = workspace.place();
      place.write("TASKS.md", planOf(milestones, tasks));
      return place;
    },
    command: () => ["bash", join(PROGRAMS, "build-loop.sh"), join(PROGRAMS, "agent.sh")],
  };
}

/**
 * A peer with the same tasks in its own list. Its list is part of the repository; the engine's is not.
 * @param {import("./peers.js").Peer} peer
 * @param {number} tasks
 * @returns {Contender}
 */
export function peerOn(peer, tasks) {
  const { path, text } = peer.list(tasks);
  return {
    title: titleOf(peer),
    place: (workspace) => {
      const place = workspace.place({ PATH: peerPath() });
      place.write(path, text);
      place.must("git", "add", "-A");
      place.must("git", "commit", "-qm", "List the tasks");
      place.write("TASKS.md", planOf(1, tasks));
      return place;
    },
    command: () => [peer.program, ...peer.args],
  };
}

/**
 * A project of as many tests, run by Node's own runner.
 * @param {number} tests
 * @returns {import("./place.js").Project}
 */
function tested(tests) {
  const one = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    `test("it holds (${at + 1})", () => assert.equal(${at}, ${at}));\n`;
  const imports = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n\n';
  return {
    config: ({ notes }) =>
      [
        isConfining() ? `sandbox: { kind: bubblewrap, write: [${notes}] }` : "sandbox: none",
        'commands: { env: ["BENCH_*"] }',
        "verify: [node, --test]",
        "",
      ].join("\n"),
    files: { "test/all.test.mjs": imports + Array.from({ length: tests }, one).join("") },
  };
}
