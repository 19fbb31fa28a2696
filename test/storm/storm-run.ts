import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../../src/base/role.ts";
import { endProcess, markedProcesses } from "../rig/marked-processes.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import type { Random } from "../rig/random.ts";

const WISP = join(import.meta.dirname, "../../dist/wisp.js");
const CASSETTE = readFileSync(join(import.meta.dirname, "cassette.yaml"), "utf8");

/** The longest time between two disturbances. */
const CALM_MS_MAX = 600;
/** The longest time for which a process is suspended. */
const STOPPED_MS_MAX = 800;
/** A supervisor gives up on a role at the fifth crash within a minute, which would change the outcome. */
const SUPERVISED_KILLS_MAX = 3;

type Part = Role | "supervisor";

/** The disturbances of a run. */
export interface Storm {
  readonly kills: number;
  readonly stops: number;
  /** Each disturbance with its process, in order. */
  readonly log: readonly string[];
  /** The parts that did not end with 0, with their codes. */
  readonly failed: readonly string[];
}

/** A session with the replay engine, ready to run. */
export async function replaySession(): Promise<ProcessSession> {
  const session = processSession({
    engine: "replay",
    config: `verify: [["test", "!", "-e", "broken"]]\nreview: { fixBatch: 2 }\n`,
    files: { ".wisp/cassette.yaml": CASSETTE },
    // A second one, so that turns run at the same time.
    reviewers: { security: "---\nlevel: blocking\n---\nFind holes.\n" },
  });
  const started = await session.wisp("start", "request.md", "--no-up");
  if (started.code !== 0) throw new Error(`start ended with ${started.code}: ${started.stderr}`);
  return session;
}

/**
 * Runs a session to its end while its processes are killed and suspended at random times, with at most `killsMax`
 * kills. Either four roles by hand, each restarted as soon as it dies, or a supervisor, which is restarted, too.
 */
export async function playInStorm(
  session: ProcessSession,
  random: Random,
  killsMax: number,
): Promise<Storm> {
  const parts: readonly Part[] = random.unit() < 0.5 ? ROLES : ["supervisor"];
  using quiet = whenQuiet(join(session.repository, ".wisp"));
  const storm = new Disturber(session, { random, isSupervised: parts.length === 1, killsMax });
  let hasEnded = false;
  const isOver = () => hasEnded;
  const played = Promise.all(parts.map((part) => keepAlive(session, part, quiet.signal)));
  const over = played.finally(() => {
    hasEnded = true;
  });
  while (!isOver() && storm.kills < killsMax) {
    await pause(random.between(0, CALM_MS_MAX), over);
    if (!isOver()) await storm.disturb();
  }
  const codes = await played;
  const failed = parts.flatMap((part, at) => (codes[at] === 0 ? [] : [`${part}: ${codes[at]}`]));
  return { kills: storm.kills, stops: storm.stops, log: storm.log, failed };
}

/** Kills and suspends the processes of one session. */
class Disturber {
  kills = 0;
  stops = 0;
  readonly log: string[] = [];
  readonly #killsOf = new Map<Part, number>();
  readonly #startMs = Date.now();
  readonly #session: ProcessSession;
  readonly #random: Random;
  readonly #isSupervised: boolean;

  constructor(
    session: ProcessSession,
    options: { random: Random; isSupervised: boolean; killsMax: number },
  ) {
    this.#session = session;
    this.#random = options.random;
    this.#isSupervised = options.isSupervised;
  }

  async disturb(): Promise<void> {
    const dice = this.#random.unit();
    const chosen = this.#random.unit();
    const part = this.#random.pick(ROLES);
    if (dice < 0.6) this.#kill([part]);
    else if (dice < 0.7) this.#kill(this.#isSupervised ? ["supervisor"] : [part]);
    else if (dice < 0.78) this.#kill([...ROLES, "supervisor"]);
    else if (dice < 0.84) this.#killEverything();
    else await this.#halt(this.#isSupervised && chosen < 0.3 ? "supervisor" : part, chosen);
  }

  #kill(parts: readonly Part[]): void {
    // While no supervisor is alive, crashes are not counted.
    const isCounted = this.#isSupervised && !parts.includes("supervisor");
    for (const { part, pid } of this.#alive()) {
      if (!parts.includes(part)) continue;
      const count = this.#killsOf.get(part) ?? 0;
      if (isCounted && count >= SUPERVISED_KILLS_MAX) continue;
      if (isCounted) this.#killsOf.set(part, count + 1);
      endProcess(pid);
      this.#note(`kill ${part}`);
      this.kills += 1;
    }
  }

  /** As in a power cut: engines and running git commands, too. */
  #killEverything(): void {
    const parts = this.#alive();
    const all = markedProcesses((variable) => variable === this.#mark);
    // The supervisor first, so that it restarts no role meanwhile.
    const first = parts.filter(({ part }) => part === "supervisor").map(({ pid }) => pid);
    for (const pid of [...first, ...all.map((one) => one.pid)]) endProcess(pid);
    this.#note(`kill everything (${all.length})`);
    this.kills += parts.length;
  }

  async #halt(part: Part, chosen: number): Promise<void> {
    const victim = this.#alive().find((one) => one.part === part);
    if (victim === undefined) return;
    signal(victim.pid, "SIGSTOP");
    this.stops += 1;
    this.#note(`stop ${part}`);
    await pause(this.#random.between(1, STOPPED_MS_MAX));
    // Every third one is killed instead of resumed.
    if (chosen > 0.66) this.#kill([part]);
    signal(victim.pid, "SIGCONT");
  }

  #note(what: string): void {
    this.log.push(`${Date.now() - this.#startMs} ms: ${what}`);
  }

  get #mark(): string {
    return `HOME=${this.#session.env["HOME"] ?? ""}`;
  }

  /** The processes of this session's roles and supervisor that are alive. */
  #alive(): readonly { readonly part: Part; readonly pid: number }[] {
    const all = markedProcesses((variable) => variable === this.#mark);
    return all.flatMap(({ pid, commandLine }) => {
      const part = partOf(commandLine);
      return part === undefined ? [] : [{ part, pid }];
    });
  }
}

function partOf(commandLine: string): Part | undefined {
  const [, words = ""] = commandLine.split(`${WISP} `);
  if (words.startsWith("supervise ")) return "supervisor";
  return ROLES.find((role) => words.startsWith(`agent ${role}`));
}

/** Restarts a part whenever it was killed; returns the code with which it ended by itself. */
async function keepAlive(session: ProcessSession, part: Part, stop: AbortSignal): Promise<number> {
  for (;;) {
    const { code, signalName } = await runOnce(session, part, stop);
    if (signalName !== "SIGKILL" || stop.aborted) return code ?? -1;
  }
}

function runOnce(session: ProcessSession, part: Part, stop: AbortSignal) {
  const output = openSync(join(session.root, `${part}.out`), "a");
  const words =
    part === "supervisor" ? ["supervise", idOf(session)] : ["agent", part, idOf(session)];
  const child = spawn(process.execPath, [WISP, ...words], {
    cwd: session.repository,
    env: session.env,
    stdio: ["ignore", output, output],
    signal: stop,
    killSignal: "SIGKILL",
  });
  // The exit handler sees an abort, too.
  child.on("error", () => undefined);
  closeSync(output);
  return new Promise<{ readonly code: number | null; readonly signalName: string | null }>(
    (resolve) => {
      child.once("exit", (code, signalName) => {
        resolve({ code, signalName });
      });
    },
  );
}

function idOf(session: ProcessSession): string {
  const found: unknown = JSON.parse(session.read("session.json"));
  return typeof found === "object" && found !== null && "id" in found ? String(found.id) : "";
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

/** Waits for this time; `over` ends the wait early. */
function pause(durationMs: number, over?: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    const early = () => {
      clearTimeout(timer);
      resolve();
    };
    over?.then(early, early);
  });
}
