import { parentPort, workerData } from "node:worker_threads";
import { Died } from "./simulator.ts";
import { Random } from "../rig/random.ts";
import { simulate, type Simulated } from "./simulate.ts";
import { virtualizeGlobals } from "./virtual-globals.ts";

/** A worker's task: some seeds, one after the other. */
export interface SimTask {
  readonly from: number;
  readonly count: number;
  /** Whether to stop at the first seed that breaks an invariant. */
  readonly isUntilBroken?: boolean | undefined;
  readonly isTraced?: boolean | undefined;
}

/** The entry of a bundle: answers with the result of each seed, and ends. */
if (isTask(workerData)) {
  const jitter = new Random(1);
  virtualizeGlobals(() => jitter.unit());
  // Rejections in killed processes have no handler.
  process.on("unhandledRejection", (thrown) => {
    if (!(thrown instanceof Died)) throw thrown;
  });
  parentPort?.postMessage(await work(workerData));
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

function isTask(data: unknown): data is SimTask {
  return typeof data === "object" && data !== null && "from" in data && "count" in data;
}
