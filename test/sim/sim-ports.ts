import { basename, dirname } from "node:path";
import { Observable } from "rxjs";
import type { Ports } from "../../src/work/role-context.ts";
import type { FreeSpace } from "../../src/base/ports/directories.ts";
import type { Files } from "../../src/base/ports/files.ts";
import { SWEEP_MS } from "../../src/base/limits.ts";
import { type Locks, LeaseHeld } from "../../src/base/ports/locks.ts";
import {
  type Processes,
  type RunEnd,
  type RunOptions,
  SpawnFailure,
} from "../../src/base/ports/processes.ts";
import { fail, ok } from "../../src/base/result.ts";
import type { WatchHint, Watcher } from "../../src/base/ports/watcher.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import type { Fate } from "./fate.ts";
import type { Ledger } from "./ledger.ts";
import { RoleProcess } from "./role-process.ts";
import type { Life, Simulator } from "./simulator.ts";

/** The world that the ports act on. */
export interface PortWorld {
  readonly simulator: Simulator;
  readonly fate: Fate;
  readonly ledger: Ledger;
  readonly watches: Set<Watch>;
  /** The holder of each lease. */
  readonly leases: Map<string, Life>;
  readonly isFaulty: () => boolean;
  /** Called after each append that succeeded. */
  readonly appended: (path: string, bytes: Uint8Array, life: Life) => void;
  /** Starts a program; the returned function ends it early. */
  readonly run: (options: RunOptions, ended: (end: RunEnd) => void) => () => void;
  readonly sweep: (runId: string) => number;
  /** The space that is left for verify trees; undefined if it has no end. */
  readonly spaceAt: () => FreeSpace | undefined;
  /** The time zone of the machine; undefined: UTC. */
  readonly zone: string | undefined;
  readonly broken: (invariant: string, what: string) => void;
}

/** A directory that a process watches. */
export interface Watch {
  readonly life: Life;
  readonly directories: readonly string[];
  readonly hint: (hint: WatchHint) => void;
  isReady: boolean;
}

/** The machine of one process. */
export function simPorts(world: PortWorld, life: Life): Ports {
  const { simulator } = world;
  return {
    files: simFiles(world, life),
    // The simulated disk has no links.
    directories: {
      ...createNodeDirectories(),
      spaceAt: world.spaceAt,
      realPath: (path) => path,
    },
    clock: {
      nowMs: () => simulator.nowMs,
      zone: world.zone,
      sleep: (durationMs, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) {
            resolve();
            return;
          }
          const wake = () => {
            cancel();
            signal?.removeEventListener("abort", wake);
            resolve();
          };
          const cancel = simulator.after(durationMs, "slept", wake, life);
          signal?.addEventListener("abort", wake);
        }),
    },
    watcher: simWatcher(world, life),
    locks: simLocks(world, life),
    processes: simProcesses(world, life),
  };
}

function simFiles({ simulator, ledger, appended, broken }: PortWorld, life: Life): Files {
  const files = createNodeFiles();
  return {
    ...files,
    stat: (path) => {
      if (life instanceof RoleProcess && life.looksLate(path, simulator.nowMs)) {
        broken("wake-up", `${life.name} waited, and looked at ${path} too late`);
      }
      return files.stat(path);
    },
    append: (path, bytes) => {
      const result = files.append(path, bytes);
      if (result.ok) {
        // Outputs are only for the next prompt, and copies are recreated: they need not survive.
        if (!/\/(?:turns|kept)\//.test(path)) ledger.keep(path, bytes);
        appended(path, bytes, life);
      }
      return result;
    },
  };
}

function simWatcher({ simulator, watches }: PortWorld, life: Life): Watcher {
  return {
    watch: (directories) =>
      new Observable<WatchHint>((subscriber) => {
        const watch: Watch = {
          life,
          directories,
          hint: (hint) => {
            subscriber.next(hint);
          },
          isReady: false,
        };
        watches.add(watch);
        simulator.after(simulator.moment(), "watch ready", () => {
          watch.isReady = true;
          for (const path of directories) subscriber.next({ path });
        });
        return () => {
          watches.delete(watch);
        };
      }),
  } satisfies Watcher;
}

/** Reports a changed file to its watchers, unless chance drops the event. */
export function tellWatches(world: PortWorld, path: string): void {
  for (const watch of world.watches) {
    if (!watch.life.isAlive) world.watches.delete(watch);
    else if (watch.directories.includes(dirname(path))) tell(world, watch, path);
  }
}

/** The longest time that a reading of files and branch may take after an event. */
const LOOK_MS_MAX = 600;

function tell({ simulator, fate, isFaulty }: PortWorld, watch: Watch, path: string): void {
  const { life } = watch;
  if (!watch.isReady) {
    // Its hint about everything is still to come.
    expectLook(simulator, life, path, 0);
    return;
  }
  const isBad = isFaulty();
  if (isBad && fate.random.chance(fate.dropped)) {
    fate.counts.droppedHints += 1;
    expectLook(simulator, life, path, SWEEP_MS);
    return;
  }
  const isLate = isBad && fate.random.chance(fate.delayed);
  if (isLate) fate.counts.delayedHints += 1;
  const delayMs = isLate ? fate.random.between(100, 3_000) : simulator.moment();
  simulator.after(
    delayMs,
    `hint ${basename(path).replace(/[0-9a-f]{12,}/g, "")}`,
    () => {
      watch.hint({ path });
    },
    life,
  );
  expectLook(simulator, life, path, delayMs);
}

/** A waiting role must read a changed log within bounded time. */
function expectLook({ nowMs }: Simulator, life: Life, path: string, dueMs: number): void {
  if (!(life instanceof RoleProcess) || !isRoleLog(path) || life.due.has(path)) return;
  life.due.set(path, nowMs + dueMs + LOOK_MS_MAX);
}

function isRoleLog(path: string): boolean {
  return /\/(?:planner|builder|reviewer|tester|human)\.log$/.test(path);
}

function simLocks({ simulator, leases }: PortWorld, life: Life): Locks {
  return {
    takeLease: (path) =>
      simulator.answer("lease", () => {
        const holder = leases.get(path);
        if (holder?.isAlive === true) return fail(LeaseHeld({ path, holder: undefined }));
        const wasAbandoned = holder !== undefined;
        leases.set(path, life);
        const release = async () => {
          if (life.isAlive && leases.get(path) === life) leases.delete(path);
        };
        return ok({
          lost: new Promise<void>(() => undefined),
          wasAbandoned,
          keep: () => Promise.resolve(ok(undefined)),
          release,
          [Symbol.asyncDispose]: release,
        });
      }),
    isLeaseHeld: (path) => simulator.answer("lease?", () => leases.get(path)?.isAlive === true),
    withLock: async (_path, critical) => ok(await simulator.answer("lock", critical)),
  };
}

function simProcesses({ simulator, run, sweep }: PortWorld, life: Life): Processes {
  return {
    run: (options) =>
      new Promise((resolve) => {
        let isOver = false;
        const end = (how: RunEnd) => {
          if (isOver) return;
          isOver = true;
          cancelTimeout();
          options.signal.removeEventListener("abort", stopped);
          simulator.after(simulator.moment(), `child ${how.kind}`, () => resolve(ok(how)), life);
        };
        const endEarly = (how: RunEnd) => {
          if (isOver) return;
          kill();
          end(how);
        };
        const stopped = () => {
          endEarly({ kind: "stopped" });
        };
        const timedOut = () => {
          endEarly({ kind: "timed-out" });
        };
        const cancelTimeout = simulator.after(options.timeoutMs, "timeout", timedOut, life);
        options.signal.addEventListener("abort", stopped);
        const kill = run(options, end);
        if (options.signal.aborted) stopped();
      }),
    sweep: (...runIds) =>
      simulator.answer("sweep", () => runIds.reduce((sum, runId) => sum + sweep(runId), 0)),
    attach: () => Promise.resolve(fail(SpawnFailure({ executable: "none", errno: "ENOSYS" }))),
    daemon: () => fail(SpawnFailure({ executable: "none", errno: "ENOSYS" })),
    findDaemons: () => Promise.resolve(new Map()),
    identify: () => undefined,
    signal: () => false,
  };
}
