import { tmpdir } from "node:os";
import type { ExecutorHost } from "../../src/executors/over-argv.ts";
import { receiveFile } from "../../src/host/files/receive-file.ts";
import { createHost } from "../../src/host/host.ts";
import { nodePrograms } from "../../src/host/processes/stream-program.ts";

/** This machine, as executors are given it. */
export function executorHost(env: Readonly<Record<string, string>> = {}): ExecutorHost {
  const { PATH = "/usr/bin:/bin", HOME = "/" } = process.env;
  return {
    ...{ programs: nodePrograms, files: createHost().files, receiveFile, cwd: tmpdir() },
    env: { PATH, HOME, ...env },
  };
}
