import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { localExecutor } from "../../src/executors/local/local-executor.ts";
import { value } from "../git/rig.ts";
import { eventually } from "../rig/patience.ts";
import { testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

describe("the executor local", () => {
  testExecutor(async () => {
    const directory = await mkdtemp(join(tmpdir(), "wisp-local-"));
    return {
      executor: localExecutor(executorHost(), { directory }),
      close: () => rm(directory, { recursive: true }),
    };
  });

  test("a command goes on that was slow to leave the group of what started it", async () => {
    const directory = await mkdtemp(join(tmpdir(), "wisp-local-"));
    const bin = join(directory, "bin");
    await mkdir(bin);
    const slow = `#!/bin/sh\nsleep 0.5\nPATH=\${PATH#*:}\nexec setsid "$@"\n`;
    await writeFile(join(bin, "setsid"), slow, { mode: 0o755 });
    const PATH = `${bin}:${MACHINE_PATH}`;
    const executor = localExecutor(executorHost({ PATH }), { directory });
    const place = value(await executor.create({ key: "slow" }));
    try {
      value(await executor.detach(place, "speaker", { argv: ["echo", "begun"] }));
      const said = () => readFileSync(join(place.root, "run/speaker.log"), "utf8");
      await eventually(() => expect(said()).toBe("begun\n"));
    } finally {
      value(await executor.destroy(place));
      await rm(directory, { recursive: true });
    }
  });
});
