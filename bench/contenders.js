// @ts-check
import { delimiter, join } from "node:path";
import { peerPath, titleOf } from "./peers.js";
import { planOf } from "./plan.js";
import { tested } from "./project.js";

const PROGRAMS = join(import.meta.dirname, "programs");

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./workspace.js").Workspace} Workspace */

/**
 * A command that has the engine do tasks, in a place of its own.
 * @typedef {object} Contender
 * @property {string} title
 * @property {(workspace: Workspace) => Place} place
 * @property {(place: Place) => readonly string[]} command
 * @property {(place: Place) => Readonly<Record<string, string>>} [variables] of its environment
 */

/**
 * wisp on a project with a verify, as shipped otherwise: its reviewers, and bubblewrap where that works.
 * @param {number} milestones
 * @param {number} tasks in each
 * @param {Readonly<Record<string, string>>} [settings] more variables of the engine
 * @returns {Contender}
 */
export function wispOn(milestones, tasks, settings = {}) {
  const project = tested(milestones * tasks);
  return {
    title: "wisp",
    place: (workspace) => {
      const path = [join(PROGRAMS, "bin"), process.env["PATH"] ?? ""].join(delimiter);
      const plan = planOf(milestones, tasks);
      return workspace.place({ BENCH_PLAN: plan, PATH: path, ...settings }, project);
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
    // One of them leaves a log in the folder for temporary files.
    variables: ({ notes }) => ({ TMPDIR: notes }),
  };
}
