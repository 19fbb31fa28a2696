import { homedir, tmpdir } from "node:os";
import type { ExecutorHost } from "../../src/executors/over-argv.ts";
import { receiveFile } from "../../src/host/files/receive-file.ts";
import { createHost } from "../../src/host/host.ts";
import { nodePrograms } from "../../src/host/processes/stream-program.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/** This machine, as executors are given it. */
export function executorHost(env: Readonly<Record<string, string>> = {}): ExecutorHost {
  return {
    ...{ programs: nodePrograms, files: createHost().files, receiveFile, cwd: tmpdir() },
    env: ownEnvironment({ HOME: homedir(), ...env }),
  };
}
