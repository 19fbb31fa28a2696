import { dirname } from "node:path";
import { type Files, FileFailure } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { Processes } from "../../base/ports/processes.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { writtenDirectories } from "../../fs-protocol/home/home-directories.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Host } from "../../host/host.ts";

/** A session, and where it lives. */
export interface HomePlace {
  readonly home: Home;
  readonly session: Pick<SessionJson, "parent" | "repository">;
}

/**
 * The machine for a process that works on a session: a write into a directory of the home that was removed
 * makes the directory again. Costs nothing while the directories are there: only a write that was refused
 * because of it looks. What stands in the place of a directory and is none is refused, never followed. Nothing is
 * made where the repository itself was removed: who removed it does not find a part of it again.
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
  return {
    ...files,
    makeDirectory: (path) => {
      const isInside = path === repository || path.startsWith(`${repository}/`);
      if (!isInside || files.stat(repository) !== undefined) return files.makeDirectory(path);
      return fail(FileFailure({ operation: "make-directory", path, errno: "ENOENT" }));
    },
  };
}

type MakeFor = (path: string) => Result<boolean, FileFailure>;

/** Makes the directory that `path` lies in, with those above it; false: it is none of the home's. */
function makeAround(
  files: Pick<Files, "makeDirectory">,
  directories: readonly string[],
  path: string,
): Result<boolean, FileFailure> {
  const wanted = dirname(path);
  if (!directories.includes(wanted)) return ok(false);
  // From above: one that is no directory is met before anything is made behind it.
  const chain = directories.filter((one) => wanted === one || wanted.startsWith(`${one}/`));
  for (const directory of chain) {
    const made = files.makeDirectory(directory);
    if (!made.ok) return made;
  }
  return ok(true);
}

/** Does it once more where its directory was missing. */
function again<T, F extends { readonly kind: string }>(
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
    remove: (path) => files.remove(path),
    removeTemporaries: (...args) => files.removeTemporaries(...args),
    append: (path, bytes) => again(path, makeFor, () => files.append(path, bytes)),
    replace: (path, ...rest) => again(path, makeFor, () => files.replace(path, ...rest)),
    link: (existing, path) => files.link(existing, path),
    create: (path, bytes) => again(path, makeFor, () => files.create(path, bytes)),
  };
}

function remakingLocks(locks: Locks, makeFor: MakeFor): Locks {
  return {
    isLeaseHeld: (path) => locks.isLeaseHeld(path),
    takeLease: async (path) => {
      const first = await locks.takeLease(path);
      if (first.ok || !isMissing(first.failure)) return first;
      const made = makeFor(path);
      if (!made.ok) return made;
      return made.value ? locks.takeLease(path) : first;
    },
    withLock: async (path, critical) => {
      const first = await locks.withLock(path, critical);
      if (first.ok || !isMissing(first.failure)) return first;
      const made = makeFor(path);
      if (!made.ok) return made;
      return made.value ? locks.withLock(path, critical) : first;
    },
  };
}

/** Before each process: a turn that could not be written would count as one that failed. */
function remakingProcesses(processes: Processes, makeFor: MakeFor): Processes {
  return {
    run: (options) => {
      makeFor(options.stdoutPath);
      return processes.run(options);
    },
    daemon: (command) => {
      makeFor(command.logPath);
      return processes.daemon(command);
    },
    attach: (command) => processes.attach(command),
    findDaemons: (mark) => processes.findDaemons(mark),
    sweep: (...runIds) => processes.sweep(...runIds),
    identify: (pid) => processes.identify(pid),
    signal: (...args) => processes.signal(...args),
  };
}
