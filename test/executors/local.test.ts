import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { localExecutor } from "../../src/executors/local/local-executor.ts";
import { testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";

describe("the executor local", () => {
  testExecutor(async () => {
    const directory = await mkdtemp(join(tmpdir(), "wisp-local-"));
    return {
      executor: localExecutor(executorHost(), { directory }),
      close: () => rm(directory, { recursive: true }),
    };
  });
});
