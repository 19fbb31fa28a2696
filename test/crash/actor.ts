import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/base/role.ts";
import type { ProcessSession } from "../rig/process-session.ts";

const WISP = join(import.meta.dirname, "../../dist/wisp.js");

/** A process that passes failpoints, and is killed at them. */
export type Actor = Role | "supervisor" | "start" | "revise" | "done" | "abandon" | "list";

/** The n-th pass of a failpoint, counted over all processes of its actor in one session. */
export interface Pass {
  readonly name: string;
  readonly ordinal: number;
}

export interface ActorRun {
  /** Passes at which it was killed. */
  readonly killed: readonly Pass[];
  /** Passes that did not happen this time, because a process depends on what it sees of the others. */
  readonly missed: readonly Pass[];
  /** The exit code of its last process. */
  readonly code: number | null;
}

const WORDS: { readonly [A in Actor]: readonly string[] } = {
  planner: ["agent", "planner"],
  builder: ["agent", "builder"],
  reviewer: ["agent", "reviewer"],
  tester: ["agent", "tester"],
  supervisor: ["supervise"],
  start: ["start", "request.md", "--no-up"],
  revise: ["revise", "--problem", "It whispers", "--yes", "--no-start"],
  done: ["done", "--no-pr", "--yes"],
  abandon: ["abandon", "--yes"],
  list: ["list"],
};

/** Resets the count of an actor's passes. */
export function forgetPasses(session: ProcessSession, actor: Actor): void {
  rmSync(logPathOf(session, actor), { force: true });
}

/** The passes of an actor in one session so far, in order. */
export function passesOf(session: ProcessSession, actor: Actor): readonly Pass[] {
  const counts = new Map<string, number>();
  return namesIn(session, actor).map((name) => {
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    return { name, ordinal };
  });
}

/** Runs an actor to the end of the session, killed at each of `targets` in order, and restarted at once each time. */
export async function playActor(
  session: ProcessSession,
  actor: Actor,
  { targets, stop }: { readonly targets: readonly Pass[]; readonly stop: AbortSignal },
): Promise<ActorRun> {
  const killed: Pass[] = [];
  const missed: Pass[] = [];
  const ahead = [...targets];
  for (;;) {
    const target = nextOf(session, actor, { ahead, missed });
    const { code, signalName } = await runOnce(session, { actor, target, stop });
    if (signalName !== "SIGKILL" || target === undefined || stop.aborted) {
      return { killed, missed: [...missed, ...ahead], code };
    }
    killed.push(target);
    ahead.shift();
  }
}

/** The first target that is still ahead, and the number of its pass in the next process. */
function nextOf(
  session: ProcessSession,
  actor: Actor,
  { ahead, missed }: { readonly ahead: Pass[]; readonly missed: Pass[] },
): (Pass & { readonly nth: number }) | undefined {
  const names = namesIn(session, actor);
  for (let target = ahead[0]; target !== undefined; target = ahead[0]) {
    const { name, ordinal } = target;
    const nth = ordinal - names.filter((passed) => passed === name).length;
    if (nth > 0) return { name, ordinal, nth };
    missed.push(target);
    ahead.shift();
  }
  return undefined;
}

function namesIn(session: ProcessSession, actor: Actor): readonly string[] {
  const path = logPathOf(session, actor);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function logPathOf({ root }: ProcessSession, actor: Actor): string {
  return join(root, `${actor}.points`);
}

interface Once {
  readonly actor: Actor;
  readonly target: { readonly name: string; readonly nth: number } | undefined;
  /** Ends a run without progress. */
  readonly stop: AbortSignal;
}

function runOnce(
  session: ProcessSession,
  { actor, target, stop }: Once,
): Promise<{ readonly code: number | null; readonly signalName: string | null }> {
  const kill = target === undefined ? {} : { WISP_FAILPOINT: `${target.name}:${target.nth}` };
  const env = { ...session.env, ...kill, WISP_FAILPOINT_LOG: logPathOf(session, actor) };
  const output = openSync(join(session.root, `${actor}.out`), "a");
  const words = actor === "supervisor" ? [...WORDS.supervisor, idOf(session)] : WORDS[actor];
  const child = spawn(process.execPath, [WISP, ...words], {
    cwd: session.repository,
    env,
    stdio: ["ignore", output, output],
    signal: stop,
    killSignal: "SIGKILL",
  });
  child.on("error", () => undefined);
  closeSync(output);
  return new Promise((resolve) => {
    child.once("exit", (code, signalName) => resolve({ code, signalName }));
  });
}

/** The id of the only session. */
function idOf(session: ProcessSession): string {
  const found: unknown = JSON.parse(session.read("session.json"));
  return typeof found === "object" && found !== null && "id" in found ? String(found.id) : "";
}
