import type { Clock } from "../base/clock.ts";
import type { Directories } from "../base/directories.ts";
import type { Files } from "../base/files.ts";
import type { Locks } from "../base/locks.ts";
import type { Processes } from "../base/processes.ts";
import type { Watcher } from "../base/watcher.ts";
import { createChokidarWatcher } from "./chokidar-watcher.ts";
import { createNodeDirectories } from "./node-directories.ts";
import { createNodeFiles } from "./node-files.ts";
import { createNodeLocks } from "./node-locks.ts";
import { createNodeProcesses } from "./node-processes.ts";
import { systemClock } from "./system-clock.ts";

/** This machine behind the ports; each is made when it is first asked for. */
export interface Host {
  readonly files: Files;
  readonly directories: Directories;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly processes: Processes;
  readonly locks: Locks;
}

export interface HostOptions {
  /** Told when file events may be missing from now on; `errno` says why. */
  readonly onWatchDegraded?: ((errno: string) => void) | undefined;
}

/** The ports over Node. */
export function createHost({ onWatchDegraded }: HostOptions = {}): Host {
  const clock = systemClock;
  const files = lazily(createNodeFiles);
  const directories = lazily(createNodeDirectories);
  const watcher = lazily(() => createChokidarWatcher({ onDegraded: onWatchDegraded }));
  const processes = lazily(createNodeProcesses);
  const locks = lazily(() => createNodeLocks({ files: files(), clock }));
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
