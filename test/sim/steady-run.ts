import { basename } from "node:path";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import type { Ending } from "./append-checks.ts";
import { counted } from "./counted-markdown.ts";
import { HOME } from "./sim-home.ts";
import { steadyScene } from "./scene.ts";
import { SimSession } from "./sim-session.ts";

/** What all roles together have done until a milestone was recorded. */
export interface WorkDone {
  /** Events of the simulated world: answers of the disk and of git, hints, timers. */
  readonly events: number;
  /** CPU time of the whole simulation; nothing is claimed about it, because it depends on the machine. */
  readonly cpuMs: number;
  /** Characters given to the parser of plans. */
  readonly parsedChars: number;
  /** Bytes read, by the name of the file. */
  readonly readBytes: Readonly<Record<string, number>>;
}

/** A session in which nothing fails. */
export interface SteadyRun {
  readonly ending: Ending;
  readonly wrong: string | undefined;
  /** After each milestone, in order. */
  readonly done: readonly WorkDone[];
}

/** Runs a session with this plan to its end, and counts the work of its roles. */
export async function runSteadily(steadyPlan: string): Promise<SteadyRun> {
  const session = new SimSession(1, false, steadyScene(steadyPlan));
  const readBytes: Record<string, number> = {};
  const done: WorkDone[] = [];
  session.wasRead = (path, bytes) => {
    // Each turn has files of its own, whose names begin with its time.
    const name = basename(path)
      .replace(/^[0-9a-f]{64}/, "plan")
      .replace(/^\d{4}-.*Z-.*/, "one of a turn's");
    readBytes[name] = (readBytes[name] ?? 0) + bytes;
  };
  session.appended = (path, text) => {
    if (path !== roleLog(HOME, "builder") || !text.includes(" outcome=milestone ")) return;
    const { steps: events } = session.simulator;
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1_000;
    done.push({ events, cpuMs, parsedChars: counted.chars, readBytes: { ...readBytes } });
  };
  await session.run();
  const { ending, unsafe, late } = session;
  const wrong = unsafe ?? late;
  return { ending, wrong: wrong && `${wrong.invariant}: ${wrong.what}`, done };
}
