import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Rolldown } from "tsdown";
import { planting, type Edit } from "../rig/planting.ts";
import type { ExploreTask } from "./explore-worker.ts";
import type { Exploration } from "./explorer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The explorer with the shipped decisions and folds (or with some of them changed) as one file that runs in worker
 * threads: on every core, without the test runner's module loader, and without its time limit.
 */
export class ExplorerBundle implements AsyncDisposable {
  readonly #folder: string;
  readonly #path: string;

  private constructor(folder: string, path: string) {
    this.#folder = folder;
    this.#path = path;
  }

  static async build(edits: readonly Edit[] = []): Promise<ExplorerBundle> {
    const input = join(root, "test/model/explore-worker.ts");
    const plugins = [planting(edits)];
    const bundle = await Rolldown.rolldown({ input, platform: "node", plugins });
    const { output } = await bundle.generate({ format: "esm" });
    await bundle.close();
    const folder = await mkdtemp(join(tmpdir(), "wisp-"));
    const path = join(folder, "explore.mjs");
    await writeFile(path, output[0].code);
    return new ExplorerBundle(folder, path);
  }

  /** Explores a scenario as soon as a core is free. */
  async explore(task: ExploreTask): Promise<Exploration> {
    await takeCore();
    try {
      return await this.#run(task);
    } finally {
      freeCore();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #run(task: ExploreTask): Promise<Exploration> {
    const worker = new Worker(this.#path, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 6_000, maxYoungGenerationSizeMb: 128 },
    });
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => {
        reject(new Error(`the explorer ended with ${String(code)} and without an answer`));
      });
    });
  }
}

let coresFree = availableParallelism();
const waiting: (() => void)[] = [];

async function takeCore(): Promise<void> {
  if (coresFree === 0) {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return;
  }
  coresFree -= 1;
}

/** Gives the core to the task that has waited longest. */
function freeCore(): void {
  const next = waiting.shift();
  if (next === undefined) coresFree += 1;
  else next();
}
