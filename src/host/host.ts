import type { Clock } from "../base/ports/clock.ts";
import type { Directories } from "../base/ports/directories.ts";
import type { Files } from "../base/ports/files.ts";
import type { Locks } from "../base/ports/locks.ts";
import type { Processes } from "../base/ports/processes.ts";
import type { Watcher } from "../base/ports/watcher.ts";
import { createChokidarWatcher } from "./files/chokidar-watcher.ts";
import { createNodeDirectories } from "./files/node-directories.ts";
import { createNodeFiles } from "./files/node-files.ts";
import { createNodeLocks } from "./locks/node-locks.ts";
import { createNodeProcesses } from "./processes/node-processes.ts";
import { systemClock } from "./system/system-clock.ts";

/** This machine behind the ports; each port is created on first use. */
export interface Host {
  readonly files: Files;
  readonly directories: Directories;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly processes: Processes;
  readonly locks: Locks;
}

export interface HostOptions {
  /** Called when file events may be missing from now on; `errno` gives the reason. */
  readonly onWatchDegraded?: ((errno: string) => void) | undefined;
  /** The digest of the program, which its leases name. */
  readonly code?: string | undefined;
  /** Makes the ports traced. Absent: nothing is traced, and nothing about tracing is loaded. */
  readonly trace?: PortTracing | undefined;
}

/** What makes ports traced. */
export interface PortTracing {
  readonly files: (files: Files) => Files;
  readonly locks: (locks: Locks) => Locks;
  readonly processes: (processes: Processes) => Processes;
}

const UNTRACED: PortTracing = {
  files: (files) => files,
  locks: (locks) => locks,
  processes: (processes) => processes,
};

/** Creates the ports, implemented with Node. */
export function createHost({ onWatchDegraded, code, trace = UNTRACED }: HostOptions = {}): Host {
  const clock = systemClock;
  const files = lazily(() => trace.files(createNodeFiles()));
  const directories = lazily(createNodeDirectories);
  const watcher = lazily(() => createChokidarWatcher({ onDegraded: onWatchDegraded }));
  const processes = lazily(() => trace.processes(createNodeProcesses()));
  const locks = lazily(() => trace.locks(createNodeLocks({ files: files(), clock, code })));
  return {
    clock,
    get files() {
      return files();
    },
    get directories() {
      return directories();
    },
    get watcher() {
      return watcher();
    },
    get processes() {
      return processes();
    },
    get locks() {
      return locks();
    },
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
