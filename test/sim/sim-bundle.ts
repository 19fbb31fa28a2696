import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Rolldown } from "tsdown";
import { planting, type Edit } from "../rig/planting.ts";
import type { NightRun } from "./simulate-night.ts";
import type { NightTask, NoisyTask, SimTask, SteadyTask } from "./sim-worker.ts";
import type { NoisySession } from "./simulate-noisy.ts";
import type { SteadyRun } from "./steady-run.ts";
import type { Simulated } from "./simulate.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The shipped roles (or with some of their files changed) in a simulated world, as one file that runs in a worker
 * thread: there, timers are virtual, and a disk that loses unsynced data replaces `node:fs`.
 */
export class SimBundle implements AsyncDisposable {
  readonly #folder: string;
  readonly #path: string;

  private constructor(folder: string, path: string) {
    this.#folder = folder;
    this.#path = path;
  }

  static async build(edits: readonly Edit[] = []): Promise<SimBundle> {
    const input = join(root, "test/sim/sim-worker.ts");
    const plugins = [planting(edits), simulatedDisk(), countedMarkdown()];
    // As the shipped program is built (tsdown.config.ts).
    const transform = { target: "node20.19" };
    const bundle = await Rolldown.rolldown({ input, platform: "node", plugins, transform });
    // As one file, because loading another takes real time, which the simulator does not know.
    const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
    await bundle.close();
    const folder = await mkdtemp(join(tmpdir(), "wisp-"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    for (const chunk of output) {
      if (chunk.type === "chunk") await writeFile(join(folder, chunk.fileName), chunk.code);
    }
    return new SimBundle(folder, join(folder, output[0].fileName));
  }

  /** Simulates seeds in a thread of their own. */
  simulate(task: SimTask): Promise<readonly Simulated[]> {
    return this.#answerOf<readonly Simulated[]>(task);
  }

  /** Simulates noisy sessions in a thread of their own. */
  simulateNoisily(task: NoisyTask): Promise<readonly NoisySession[]> {
    return this.#answerOf<readonly NoisySession[]>(task);
  }

  /** Simulates nights, in a thread of their own. */
  simulateNights(task: NightTask): Promise<readonly NightRun[]> {
    return this.#answerOf<readonly NightRun[]>(task);
  }

  async #answerOf<T>(task: SimTask | NoisyTask | SteadyTask | NightTask): Promise<T> {
    // Most objects are short-lived: a larger young generation makes garbage collection cheaper.
    const resourceLimits = { maxYoungGenerationSizeMb: 64 };
    const worker = new Worker(this.#path, { workerData: task, resourceLimits });
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => {
        reject(new Error(`the simulation ended with ${String(code)} and without an answer`));
      });
    });
  }

  /** Simulates a session with this plan, in which nothing fails, in a thread of its own. */
  simulateSteadily(steadyPlan: string): Promise<SteadyRun> {
    return this.#answerOf<SteadyRun>({ steadyPlan });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Redirects the parser of plans to one that counts what it is given. */
function countedMarkdown(): Rolldown.Plugin {
  return {
    name: "counted-markdown",
    resolveId(source, importer) {
      const isScan = importer === join(root, "src/fs-protocol/tasks/tasks-scan.ts");
      const isParser = source === "mdast-util-from-markdown" && isScan;
      return isParser ? join(root, "test/sim/counted-markdown.ts") : undefined;
    },
  };
}

/** Redirects the host's imports of `node:fs` to the simulated disk. */
function simulatedDisk(): Rolldown.Plugin {
  return {
    name: "simulated-disk",
    resolveId(source, importer) {
      const isHost = importer?.startsWith(join(root, "src/host/")) === true;
      return source === "node:fs" && isHost ? join(root, "test/sim/node-fs.ts") : undefined;
    },
  };
}
