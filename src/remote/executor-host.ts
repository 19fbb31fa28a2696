import { receiveFile } from "../host/files/receive-file.ts";
import { nodePrograms } from "../host/processes/stream-program.ts";
import type { World } from "../workspace/world.ts";
import type { ExecutorHost } from "../executors/over-argv.ts";

/** This machine, as executors are given it. */
export function executorHost({
  host,
  cwd,
  env,
}: Pick<World, "host" | "cwd" | "env">): ExecutorHost {
  return { programs: nodePrograms, files: host.files, receiveFile, cwd, env };
}
