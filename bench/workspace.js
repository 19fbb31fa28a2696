// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processesWith } from "./proc.js";

const PROGRAMS = join(import.meta.dirname, "programs");
export const AGENT = join(PROGRAMS, "agent.sh");

const FACT_LOOK_MS = 20;
const FACT_WAIT_MS_MAX = 60_000;

/** Wall clock in milliseconds, with the precision of the engine's own clock. */
export function nowMs() {
  return performance.timeOrigin + performance.now();
}

/**
 * @typedef {object} Turn
 * @property {string} purpose
 * @property {number} beganMs
 * @property {number} endedMs NaN while it runs
 */

/**
 * One temporary folder with a copy of wisp, so that a build meanwhile does not mix two versions.
 * Everything that is started in it carries its path in `WISP_BENCH_ROOT`.
 */
export class Workspace {
  #root = mkdtempSync(join(tmpdir(), "wisp-bench-"));
  #places = 0;

  /** @param {string} binary the `wisp.js` to measure; `templates` stands beside its folder */
  constructor(binary) {
    const dist = dirname(binary);
    const isNeeded = (/** @type {string} */ path) => !path.endsWith(".map");
    cpSync(dist, join(this.#root, "wisp", "dist"), { recursive: true, filter: isNeeded });
    cpSync(join(dirname(dist), "templates"), join(this.#root, "wisp", "templates"), {
      recursive: true,
    });
  }

  get wisp() {
    return join(this.#root, "wisp", "dist", "wisp.js");
  }

  /**
   * An empty folder in it.
   * @param {string} name
   */
  folder(name) {
    this.#places += 1;
    const path = join(this.#root, `${name}-${this.#places}`);
    mkdirSync(path);
    return path;
  }

  /**
   * A repository with one commit, in which the engine can work.
   * @param {Readonly<Record<string, string>>} [settings] variables of the engine
   */
  place(settings = {}) {
    return new Place(this.folder("place"), this.#root, this.wisp, settings);
  }

  /** Kills what is left, and removes the folder. Works at any time, also twice. */
  async dispose() {
    const marker = `WISP_BENCH_ROOT=${this.#root}`;
    for (let left = processesWith(marker); left.length > 0; left = processesWith(marker)) {
      for (const { pid } of left) kill(pid);
      await sleep(FACT_LOOK_MS);
    }
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A repository, the environment of what runs in it, and what its engines noted. */
class Place {
  /**
   * @param {string} directory
   * @param {string} root
   * @param {string} wisp
   * @param {Readonly<Record<string, string>>} settings
   */
  constructor(directory, root, wisp, settings) {
    this.directory = directory;
    this.repository = join(directory, "repository");
    this.wisp = wisp;
    this.times = join(directory, "times");
    const home = join(directory, "home");
    const fifo = join(directory, "fifo");
    /** @type {Readonly<Record<string, string>>} */
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LC_ALL: "C",
      NO_COLOR: "1",
      GIT_CONFIG_SYSTEM: "/dev/null",
      WISP_BENCH_ROOT: root,
      BENCH_TIMES: this.times,
      BENCH_FIFO: fifo,
      BENCH_PLAN: "",
      BENCH_SECONDS: "",
      BENCH_BLOCK: "",
      ...settings,
    };
    mkdirSync(home);
    mkdirSync(this.repository);
    this.must("mkfifo", fifo);
    this.#fill();
  }

  #fill() {
    this.must("git", "init", "-q", "-b", "main");
    this.must("git", "config", "user.name", "Bench");
    this.must("git", "config", "user.email", "bench@example.invalid");
    this.write("work.txt", "begun\n");
    this.write("prompt.md", "Do the next task.\n");
    this.write("request.md", "# A request\n\nDo the tasks.\n");
    this.write(".wisp/config.yaml", `engine: { command: [${JSON.stringify(AGENT)}] }\n`);
    this.must("git", "add", "-A");
    this.must("git", "commit", "-qm", "Begin");
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  write(path, text) {
    mkdirSync(dirname(join(this.repository, path)), { recursive: true });
    writeFileSync(join(this.repository, path), text);
  }

  /**
   * Runs a command to its end in the repository; it must succeed.
   * @param {string} command
   * @param {...string} args
   */
  must(command, ...args) {
    const options = { cwd: this.repository, env: this.env, encoding: /** @type {const} */ ("utf8") };
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (status === 0) return stdout;
    throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
  }

  /**
   * Starts a command in the repository.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {Readonly<Record<string, string>>} [variables]
   */
  start(command, args, variables = {}) {
    const launchedMs = nowMs();
    const child = spawn(command, args, {
      cwd: this.repository,
      env: { ...this.env, ...variables },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    /** @type {Promise<{ code: number | null, endedMs: number, stderr: string }>} */
    const ended = new Promise((resolve) => {
      child.on("exit", (code) => resolve({ code, endedMs: nowMs(), stderr }));
      child.on("error", ({ message }) => resolve({ code: 1, endedMs: nowMs(), stderr: message }));
    });
    return { pid: child.pid ?? 0, launchedMs, ended };
  }

  /**
   * A command of wisp.
   * @param {...string} words
   */
  startWisp(...words) {
    return this.start(process.execPath, [this.wisp, ...words]);
  }

  /**
   * A loop of `programs/`, with the engine as its first argument.
   * @param {string} name
   * @param {readonly string[]} [args]
   * @param {Readonly<Record<string, string>>} [variables]
   */
  startLoop(name, args = [], variables = {}) {
    return this.start("bash", [join(PROGRAMS, name), AGENT, ...args], variables);
  }

  /** @param {string} path below the home of the newest session */
  home(path) {
    return join(this.repository, ".wisp", "current", path);
  }

  /**
   * Records of a log, with what its line says.
   * @param {string} log such as `builder`
   * @returns {readonly { readonly timeMs: number, readonly kind: string, readonly line: string }[]}
   */
  records(log) {
    return linesOf(this.home(`logs/${log}.log`)).map((line) => {
      const [time = "", kind = ""] = line.split(" ", 2);
      return { timeMs: Date.parse(time), kind, line };
    });
  }

  /**
   * The turns of the engines, in the order in which they began.
   * @returns {readonly Turn[]}
   */
  turns() {
    /** @type {Turn[]} */
    const turns = [];
    for (const line of linesOf(this.times)) {
      const [what, seconds, purpose = ""] = line.split(" ");
      const timeMs = Number(seconds) * 1000;
      const running = turns.find((turn) => turn.purpose === purpose && Number.isNaN(turn.endedMs));
      if (what === "begin") turns.push({ purpose, beganMs: timeMs, endedMs: NaN });
      else if (running !== undefined) running.endedMs = timeMs;
    }
    return turns;
  }

  /** The process that has a role's lease. @param {string} role */
  pidOf(role) {
    /** @type {unknown} */
    const holder = JSON.parse(readFileSync(this.home(`locks/${role}.lock.json`), "utf8"));
    const pid = typeof holder === "object" && holder !== null && "pid" in holder ? holder.pid : 0;
    return Number(pid);
  }

  /** Forgets what the engines noted so far. */
  forgetTurns() {
    rmSync(this.times, { force: true });
  }

  /**
   * Waits until a fact holds.
   * @param {string} what
   * @param {() => boolean} fact
   * @param {number} [waitMsMax]
   */
  async until(what, fact, waitMsMax = FACT_WAIT_MS_MAX) {
    const endMs = nowMs() + waitMsMax;
    while (!fact()) {
      if (nowMs() > endMs) throw new Error(`${what} never came\n${this.#lastWords()}`);
      await sleep(FACT_LOOK_MS);
    }
  }

  /** Kills every process that was started for this place. */
  async killAll() {
    const marker = `BENCH_TIMES=${this.times}`;
    for (let left = processesWith(marker); left.length > 0; left = processesWith(marker)) {
      for (const { pid } of left) kill(pid);
      await sleep(FACT_LOOK_MS);
    }
  }

  #lastWords() {
    return ["planner", "builder", "reviewer", "tester", "supervisor"]
      .flatMap((log) => linesOf(this.home(`logs/${log}.log`)).slice(-3))
      .join("\n");
  }
}

/** @param {string} path */
function linesOf(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

/** @param {number} pid */
export function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/**
 * A plan of milestones with as many tasks each.
 * @param {number} milestones
 * @param {number} tasks
 */
export function planOf(milestones, tasks) {
  const task = (/** @type {string} */ _, /** @type {number} */ at) => `- [ ] Do task ${at + 1}`;
  const boxes = Array.from({ length: tasks }, task).join("\n");
  return Array.from({ length: milestones }, (_, at) => `## Milestone: M${at + 1}\n\n${boxes}\n`).join("\n");
}

/**
 * A log line as a stranger would append it.
 * @param {string} path
 * @param {string} line
 */
export function appendLine(path, line) {
  appendFileSync(path, `${line}\n`);
}
