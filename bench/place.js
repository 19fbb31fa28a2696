// @ts-check
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { activitiesOf, cpuOfTimes } from "./notes.js";
import { killWith, nowMs } from "./proc.js";
import { BARE_PROJECT } from "./project.js";
import { sum } from "./statistics.js";

/** An engine sees of the environment what the settings name: what the agent is told by. */
const SEES = ["planner", "builder", "reviewer", "tester"]
  .map((role) => `${role}: { env: ["BENCH_*"] }`)
  .join(", ");

const PROGRAMS = join(import.meta.dirname, "programs");
const AGENT = join(PROGRAMS, "agent.sh");

const FACT_LOOK_MS = 20;
const FACT_WAIT_MS_MAX = 60_000;
/** Far more than any command needs that is waited for. */
const COMMAND_MS_MAX = 240_000;
const TAIL_BYTES = 64 * 1024;

/** @typedef {import("./notes.js").Activity} Activity */

/** A repository, the environment of what runs in it, and what its engines noted. */
export class Place {
  /**
   * @param {string} directory
   * @param {string} root
   * @param {string} wisp
   * @param {{ readonly settings: Readonly<Record<string, string>>, readonly project: import("./project.js").Project | undefined }} contents
   */
  constructor(directory, root, wisp, { settings, project = BARE_PROJECT }) {
    this.directory = directory;
    /** @type {string} */
    this.repository = join(directory, "repository");
    this.wisp = wisp;
    /** Where engines and commands write, also from a sandbox. */
    this.notes = join(directory, "notes");
    this.times = join(this.notes, "times");
    this.cpu = join(this.notes, "cpu");
    const home = join(directory, "home");
    const fifo = join(this.notes, "fifo");
    /** @type {Readonly<Record<string, string>>} */
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LC_ALL: "C",
      NO_COLOR: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      WISP_BENCH_ROOT: root,
      BENCH_NODE: process.execPath,
      BENCH_TIMES: this.times,
      BENCH_CPU: "",
      BENCH_FIFO: fifo,
      BENCH_PLAN: "",
      BENCH_SECONDS: "",
      BENCH_BLOCK: "",
      ...settings,
    };
    for (const made of [home, this.notes, this.cpu, this.repository]) mkdirSync(made);
    this.must("mkfifo", fifo);
    this.#fill(project);
  }

  /** @param {import("./project.js").Project} project */
  #fill({ config, files }) {
    this.must("git", "init", "-q", "-b", "main");
    this.must("git", "config", "user.name", "Bench");
    this.must("git", "config", "user.email", "bench@example.invalid");
    this.write("work.txt", "begun\n");
    this.write("prompt.md", "Do the next task.\n");
    this.write("request.md", "# A request\n\nDo the tasks.\n");
    this.write(
      ".wisp/config.yaml",
      `engine: { command: [${JSON.stringify(AGENT)}] }\nroles: { ${SEES} }\n${config(this)}`,
    );
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.must("git", "add", "-A");
    this.must("git", "commit", "-qm", "Begin");
  }

  /**
   * @param {string} path
   * @param {string | Uint8Array} text
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
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.repository,
      env: this.env,
      encoding: "utf8",
      timeout: COMMAND_MS_MAX,
    });
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
   * The last record of a log that holds a text, looked for near the log's end.
   * @param {string} log
   * @param {string} text
   */
  lastRecord(log, text) {
    const path = this.home(`logs/${log}.log`);
    if (!existsSync(path)) return undefined;
    const fd = openSync(path, "r");
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    closeSync(fd);
    const line = bytes
      .toString("utf8")
      .split("\n")
      .findLast((each) => each.includes(text));
    return line === undefined ? undefined : { timeMs: Date.parse(line.split(" ")[0] ?? ""), line };
  }

  /**
   * The turns of the engines and the commands of the project, in the order in which they began.
   * @returns {readonly Activity[]}
   */
  activities() {
    return existsSync(this.times) ? activitiesOf(readFileSync(this.times, "utf8")) : [];
  }

  /** The turns of the engines alone. */
  turns() {
    return this.activities().filter(({ purpose }) => purpose !== "command");
  }

  /**
   * CPU in milliseconds of turns, or of the project's commands, if they were asked to note it.
   * @param {(purpose: string) => boolean} isCounted
   */
  notedCpuMs(isCounted) {
    const names = readdirSync(this.cpu).filter((name) => isCounted(name.replace(/-[\d.-]+$/, "")));
    return sum(names.map((name) => cpuOfTimes(readFileSync(join(this.cpu, name), "utf8"))));
  }

  /** The process that has a role's lease. @param {string} role */
  pidOf(role) {
    if (!existsSync(this.home(`locks/${role}.lock.json`))) return 0;
    /** @type {unknown} */
    const holder = JSON.parse(readFileSync(this.home(`locks/${role}.lock.json`), "utf8"));
    const pid = typeof holder === "object" && holder !== null && "pid" in holder ? holder.pid : 0;
    return Number(pid);
  }

  /** @param {string} path below the home of the newest session */
  lineCount(path) {
    return linesOf(this.home(path)).length;
  }

  /** Removes it with all that is in it. */
  remove() {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Undoes what the reviewer has done. */
  forgetReviewer() {
    for (const name of ["reviewer.log", "reviewer.checkpoint", "reviewer.milestone"]) {
      rmSync(this.home(`logs/${name}`), { force: true });
    }
    // The reviewer would put its log back from its copy.
    const { state } = JSON.parse(readFileSync(this.home("session.json"), "utf8"));
    rmSync(join(state, "reviewer", "kept"), { recursive: true, force: true });
  }

  /** Removes what roles have kept of their reading, which they may find gone at any time. */
  forgetSnapshots() {
    const { state } = JSON.parse(readFileSync(this.home("session.json"), "utf8"));
    for (const name of readdirSync(state, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".snapshot")) rmSync(join(state, name), { force: true });
    }
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
    await killWith(`BENCH_TIMES=${this.times}`);
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
