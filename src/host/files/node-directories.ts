import { FileFailure } from "../../base/ports/files.ts";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  readdirSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Directories, DirectoryEntry, PathKind } from "../../base/ports/directories.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import {
  chmodSync,
  copyFile,
  makeDirectories,
  openSync,
  removeTree,
  renameSync,
  shareFile,
} from "../system/effects.ts";
import { attempt, errnoOf, type Errno } from "../system/errno.ts";
import { probeDisk } from "../probe/probe-disk.ts";
import { copyExactly } from "./copy-exactly.ts";
import { fingerprint } from "./fingerprint.ts";
import { makeReadOnly, makeWritable } from "./make-writable.ts";
import { realPath } from "./node-links.ts";
import { syncDirectory } from "./open-regular.ts";

/** Implements the port for directory trees with the file system. */
export function createNodeDirectories(): Directories {
  return {
    kindOf,
    realPath,
    entries: (path) => named("list", path, entries(path)),
    move: (from, to) => named("replace", to, move(from, to)),
    removeTree: (path) =>
      named(
        "remove",
        path,
        // rm unlinks a symbolic link and does not follow it.
        removed(path, () => {
          removeTree(path);
        }),
      ),
    empty: (path) => named("remove", path, empty(path)),
    copyFile: async (from, to) => named("create", to, await copied(from, to)),
    shareFile: async (from, to, { isExecutable }) =>
      named("create", to, await shared(from, to, isExecutable ? 0o777 : 0o666)),
    copyExactly: async (from, to, content) =>
      named("create", to, await copyExactly(from, to, content)),
    makeWritable: (path) =>
      named(
        "replace",
        path,
        attempt(() => makeWritable(path)),
      ),
    makeReadOnly: (path) =>
      named(
        "replace",
        path,
        attempt(() => {
          makeReadOnly(path);
        }),
      ),
    fingerprint,
    spaceAt: probeDisk,
  };
}

function kindOf(path: string): PathKind | undefined {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return found.ok && found.value !== undefined ? kindFrom(found.value) : undefined;
}

function kindFrom(found: Stats | Dirent): PathKind {
  if (found.isDirectory()) return "directory";
  return found.isFile() ? "file" : "other";
}

/** The directory itself tells the kinds, so that no entry is inspected. */
function entries(path: string): Result<readonly DirectoryEntry[], Errno> {
  const listed = attempt(() => readdirSync(path, { withFileTypes: true }));
  if (!listed.ok) return listed.failure === "ENOENT" ? ok([]) : listed;
  return ok(listed.value.map((entry) => ({ name: entry.name, kind: kindFrom(entry) })));
}

function move(from: string, to: string): Result<void, Errno> {
  const moved = attempt(() => renameSync(from, to));
  return moved.ok ? syncDirectory(dirname(to)) : moved;
}

function copied(from: string, to: string): Promise<Result<void, Errno>> {
  return attemptAsync(() => copyFile(from, to));
}

/** `mode` is reduced by the process's umask, which the system applies when the file is made. */
async function shared(from: string, to: string, mode: number): Promise<Result<void, Errno>> {
  // A copy of a pipe would wait for somebody who writes into it.
  if (kindOf(from) !== "file") return fail("EINVAL");
  const made = attempt(() => makeDirectories(dirname(to), 0o777));
  if (!made.ok) return made;
  const given = attempt(() => makeEmpty(to, mode));
  if (!given.ok) return given;
  // The content comes with the other file's mode.
  const done = await attemptAsync(() => shareFile(from, to));
  const ended = attempt(() => {
    if (done.ok) chmodSync(to, given.value);
    else removeTree(to);
  });
  return done.ok ? ended : done;
}

/** The mode that the new file got. */
function makeEmpty(path: string, mode: number): number {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY, mode);
  try {
    return fstatSync(fd).mode & 0o777;
  } finally {
    closeSync(fd);
  }
}

async function attemptAsync(call: () => Promise<void>): Promise<Result<void, Errno>> {
  try {
    await call();
    return ok(undefined);
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail(errno);
  }
}

function empty(path: string): Result<void, Errno> {
  if (kindOf(path) !== "directory") return ok(undefined);
  return removed(path, () => {
    for (const name of readdirSync(path)) removeTree(join(path, name));
  });
}

/** Retries a failed removal after making the folders inside writable, if missing rights were the reason. */
function removed(path: string, remove: () => void): Result<void, Errno> {
  const once = attempt(remove);
  if (once.ok || !["EACCES", "EPERM"].includes(once.failure)) return once;
  const made = attempt(() => makeWritable(path));
  return made.ok && made.value > 0 ? attempt(remove) : once;
}

function named<T>(
  operation: FileFailure["operation"],
  path: string,
  result: Result<T, Errno>,
): Result<T, FileFailure> {
  return result.ok ? result : fail(FileFailure({ operation, path, errno: result.failure }));
}
