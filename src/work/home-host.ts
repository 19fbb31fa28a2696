import { dirname } from "node:path";
import { type Files, FileFailure } from "../base/ports/files.ts";
import type { Lease, Locks } from "../base/ports/locks.ts";
import type { Processes } from "../base/ports/processes.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { writtenDirectories } from "../fs-protocol/home/home-directories.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import type { Host } from "../host/host.ts";

/** A session and its home. */
export interface HomePlace {
  readonly home: Home;
  readonly session: Pick<SessionJson, "parent" | "repository">;
}

/**
 * The host for a process that works on a session: if a directory of the home was removed, a write into it
 * recreates the directory. This costs nothing while the directories exist, because only a write that failed
 * checks them. Anything else at the path of a directory is refused and never followed. Nothing is recreated if the
 * repository itself was removed: it must not partly reappear.
 */
export function homeHost(host: Host, { home, session }: HomePlace): Host {
  const directories = writtenDirectories(home, session);
  const files = withinRepository(host.files, session.repository);
  const makeFor = (path: string) => makeAround(files, directories, path);
  return {
    clock: host.clock,
    directories: host.directories,
    watcher: host.watcher,
    files: remakingFiles(files, makeFor),
    locks: remakingLocks(host.locks, makeFor),
    processes: remakingProcesses(host.processes, makeFor),
  };
}

function withinRepository(files: Files, repository: string): Files {
  const make = (path: string, by: "makeDirectory" | "makeScratchDirectory") => {
    const isInside = path === repository || path.startsWith(`${repository}/`);
    if (!isInside || files.stat(repository) !== undefined) return files[by](path);
    return fail(FileFailure({ operation: "make-directory", path, errno: "ENOENT" }));
  };
  return {
    ...files,
    makeDirectory: (path) => make(path, "makeDirectory"),
    makeScratchDirectory: (path) => make(path, "makeScratchDirectory"),
  };
}

type MakeFor = (path: string) => Result<boolean, FileFailure>;

/** Creates the parent directory of `path` and its ancestors in the home; returns false if it is not in the home. */
function makeAround(
  files: Pick<Files, "makeDirectory">,
  directories: readonly string[],
  path: string,
): Result<boolean, FileFailure> {
  const wanted = dirname(path);
  if (!directories.includes(wanted)) return ok(false);
  // From the top down: a path that is not a directory fails before anything is created behind it.
  const chain = directories.filter((one) => wanted === one || wanted.startsWith(`${one}/`));
  for (const directory of chain) {
    const made = files.makeDirectory(directory);
    if (!made.ok) return made;
  }
  return ok(true);
}

/** Repeats an action once if it failed because its directory was missing. */
function retryWithDirectory<T, F extends { readonly kind: string }>(
  path: string,
  makeFor: MakeFor,
  act: () => Result<T, F | FileFailure>,
): Result<T, F | FileFailure> {
  const first = act();
  if (first.ok || !isMissing(first.failure)) return first;
  const made = makeFor(path);
  if (!made.ok) return made;
  return made.value ? act() : first;
}

function isMissing(failure: { readonly kind: string; readonly errno?: string }): boolean {
  return failure.kind === "file" && failure.errno === "ENOENT";
}

function remakingFiles(files: Files, makeFor: MakeFor): Files {
  return {
    readChunk: (...args) => files.readChunk(...args),
    read: (...args) => files.read(...args),
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    makeDirectory: (path) => files.makeDirectory(path),
    makeScratchDirectory: (path) => files.makeScratchDirectory(path),
    remove: (path) => files.remove(path),
    removeTemporaries: (...args) => files.removeTemporaries(...args),
    append: (path, bytes) => retryWithDirectory(path, makeFor, () => files.append(path, bytes)),
    replace: (path, ...rest) =>
      retryWithDirectory(path, makeFor, () => files.replace(path, ...rest)),
    link: (existing, path) => files.link(existing, path),
    create: (path, bytes) => retryWithDirectory(path, makeFor, () => files.create(path, bytes)),
    createCopy: (path, bytes) => files.createCopy(path, bytes),
    createScratch: (path, bytes) => files.createScratch(path, bytes),
  };
}

function remakingLocks(locks: Locks, makeFor: MakeFor): Locks {
  return {
    isLeaseHeld: (path) => locks.isLeaseHeld(path),
    takeLease: async (path) => {
      const taken = await retryLock(path, makeFor, () => locks.takeLease(path));
      return taken.ok ? ok(remakingLease(path, makeFor, taken.value)) : taken;
    },
    withLock: (path, critical) => retryLock(path, makeFor, () => locks.withLock(path, critical)),
  };
}

function remakingLease(path: string, makeFor: MakeFor, lease: Lease): Lease {
  const release = () => lease.release();
  return {
    lost: lease.lost,
    wasAbandoned: lease.wasAbandoned,
    keep: () => retryLock(path, makeFor, () => lease.keep()),
    release,
    [Symbol.asyncDispose]: release,
  };
}

/** Like `retryWithDirectory`, for an action that waits. */
async function retryLock<T, F extends { readonly kind: string }>(
  path: string,
  makeFor: MakeFor,
  act: () => Promise<Result<T, F | FileFailure>>,
): Promise<Result<T, F | FileFailure>> {
  const first = await act();
  if (first.ok || !isMissing(first.failure)) return first;
  const made = makeFor(path);
  if (!made.ok) return made;
  return made.value ? act() : first;
}

/** Creates the directory before each process starts: a turn that cannot write its output would count as failed. */
function remakingProcesses(processes: Processes, makeFor: MakeFor): Processes {
  return {
    run: (options) => {
      makeFor(options.stdoutPath);
      return processes.run(options);
    },
    daemon: (command) => {
      if (command.logPath !== undefined) makeFor(command.logPath);
      return processes.daemon(command);
    },
    attach: (command) => processes.attach(command),
    findDaemons: (marks) => processes.findDaemons(marks),
    sweep: (...runIds) => processes.sweep(...runIds),
    identify: (pid) => processes.identify(pid),
    signal: (...args) => processes.signal(...args),
  };
}
