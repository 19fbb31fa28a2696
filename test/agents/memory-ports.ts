import type { Ports } from "../../src/work/role-context.ts";
import type { Clock } from "../../src/base/ports/clock.ts";
import type { RunEnd, RunOptions, SpawnFailure } from "../../src/base/ports/processes.ts";
import { ok, type Result } from "../../src/base/result.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { memoryWatcher } from "../rig/memory-watcher.ts";

/** Returns at once, after whatever else is due, and records for how long it was to sleep. */
export class NotingClock implements Clock {
  readonly sleptMs: number[] = [];
  #nowMs = Date.parse("2026-11-20T12:00:00.000Z");

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(durationMs: number): Promise<void> {
    this.sleptMs.push(durationMs);
    this.#nowMs += durationMs;
    return new Promise((resolve) => void setImmediate(resolve));
  }
}

/** The machine of a test: files in memory, time that passes only in sleeps, commands that are only recorded. */
export interface MemoryPorts extends Ports {
  readonly files: MemoryFiles;
  readonly clock: NotingClock;
  /** Paths for which a short lock was taken, in order. */
  readonly locked: string[];
  readonly ran: RunOptions[];
  /** The result of the next command. */
  run: (options: RunOptions) => Result<RunEnd, SpawnFailure>;
}

/** Makes the ports. There are no leases and daemons. */
export function memoryPorts(): MemoryPorts {
  const files = new MemoryFiles();
  const locked: string[] = [];
  const ran: RunOptions[] = [];
  const ports: MemoryPorts = {
    files,
    directories: {
      removeTree: (path) => files.removeTree(path),
      spaceAt: () => undefined,
      kindOf: (path) => (files.stat(path) === undefined ? undefined : "file"),
      entries: () => ok([]),
      realPath: (path) => path,
    },
    clock: new NotingClock(),
    watcher: memoryWatcher(files),
    locked,
    ran,
    run: () => ok({ kind: "exited", exitCode: 0 }),
    locks: {
      takeLease: () => Promise.reject(new Error("no lease is taken here")),
      isLeaseHeld: () => Promise.resolve(false),
      withLock: async (path, critical) => {
        locked.push(path);
        return ok(critical());
      },
    },
    processes: {
      run: async (options) => {
        ran.push(options);
        return ports.run(options);
      },
      attach: () => Promise.reject(new Error("nobody is at a terminal here")),
      daemon: () => ok({ pid: 1, ended: Promise.resolve(0) }),
      findDaemons: () => Promise.resolve(new Map()),
      sweep: () => Promise.resolve(0),
      identify: () => undefined,
      signal: () => false,
    },
  };
  return ports;
}
