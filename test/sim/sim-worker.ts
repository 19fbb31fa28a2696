import { parentPort, workerData } from "node:worker_threads";
import { Died } from "./simulator.ts";
import { Random } from "../rig/random.ts";
import { simulate, type Simulated } from "./simulate.ts";
import { simulateNight, type NightRun } from "./simulate-night.ts";
import { simulateNoisy, type NoisySession } from "./simulate-noisy.ts";
import { runSteadily } from "./steady-run.ts";
import { virtualizeGlobals } from "./virtual-globals.ts";

/** A worker's task: some seeds, one after the other. */
export interface SimTask {
  readonly from: number;
  readonly count: number;
  /** Whether to stop at the first seed that breaks an invariant. */
  readonly isUntilBroken?: boolean | undefined;
  readonly isTraced?: boolean | undefined;
}

/** Another task: noisy sessions, one after the other. */
export interface NoisyTask extends SimTask {
  /** How often a look is red by chance. */
  readonly rate: number;
}

/** Another task: one session with this plan, in which nothing fails. */
export interface SteadyTask {
  readonly steadyPlan: string;
}

/** Another task: nights in which engines reach their limits, one after the other. */
export interface NightTask {
  readonly firstNight: number;
  readonly nights: number;
}

/** The entry of a bundle: answers with the result of each seed, or of the plan, and ends. */
if (isTask(workerData) || isSteady(workerData) || isNight(workerData)) {
  const jitter = new Random(1);
  virtualizeGlobals(() => jitter.unit());
  // Rejections in killed processes have no handler.
  process.on("unhandledRejection", (thrown) => {
    if (!(thrown instanceof Died)) throw thrown;
  });
  parentPort?.postMessage(await answerTo(workerData));
}

function answerTo(task: SimTask | NoisyTask | SteadyTask | NightTask): Promise<unknown> {
  if (isNight(task)) return workAtNight(task);
  if (isSteady(task)) return runSteadily(task.steadyPlan);
  return "rate" in task ? workNoisily(task) : work(task);
}

async function workAtNight({ firstNight, nights }: NightTask): Promise<readonly NightRun[]> {
  const done: NightRun[] = [];
  for (let seed = firstNight; seed < firstNight + nights; seed++) {
    done.push(await simulateNight(seed));
  }
  return done;
}

async function workNoisily(task: NoisyTask): Promise<readonly NoisySession[]> {
  const { from, count, rate, isUntilBroken = false, isTraced = false } = task;
  const done: NoisySession[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const simulated = await simulateNoisy(seed, rate, isTraced);
    done.push(simulated);
    if (isUntilBroken && simulated.wrongs.length > 0) break;
  }
  return done;
}

async function work(task: SimTask): Promise<readonly Simulated[]> {
  const { from, count, isUntilBroken = false, isTraced = false } = task;
  const done: Simulated[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const simulated = await simulate(seed, isTraced);
    done.push(simulated);
    if (isUntilBroken && (simulated.unsafe ?? simulated.late) !== undefined) break;
  }
  return done;
}

function isSteady(data: unknown): data is SteadyTask {
  return typeof data === "object" && data !== null && "steadyPlan" in data;
}

function isNight(data: unknown): data is NightTask {
  return typeof data === "object" && data !== null && "firstNight" in data;
}

function isTask(data: unknown): data is SimTask | NoisyTask {
  return typeof data === "object" && data !== null && "from" in data && "count" in data;
}
