import { FileFailure } from "../../base/ports/files.ts";
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type {
  Directories,
  DirectoryEntry,
  PathKind,
  RecordedStat,
} from "../../base/ports/directories.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { copyFile, removeTree, renameSync, setModifiedSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { probeDisk } from "../probe/probe-disk.ts";
import { copyExactly, placeExactly } from "./copy-exactly.ts";
import { fingerprint } from "./fingerprint.ts";
import { makeReadOnly, makeWritable } from "./make-writable.ts";
import { realPath } from "./node-links.ts";
import { syncDirectory } from "./open-regular.ts";
import { attemptAsync, shareAnew } from "./share-file.ts";

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
      named("create", to, await shareAnew(from, to, isExecutable ? 0o777 : 0o666)),
    copyExactly: async (from, to, content) =>
      named("create", to, await copyExactly(from, to, content)),
    placeExactly: async (from, to, content, as) =>
      named("create", to, await placeExactly(from, to, content, as)),
    setModified: (path, modifiedMs) =>
      named(
        "replace",
        path,
        attempt(() => {
          setModifiedSync(path, modifiedMs);
        }),
      ),
    recordedStat,
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

function recordedStat(path: string): RecordedStat | undefined {
  const found = attempt(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (!found.ok || found.value?.isFile() !== true) return undefined;
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = found.value;
  return {
    ...{ changedNs: ctimeNs, modifiedNs: mtimeNs, device: dev, inode: ino },
    ...{ user: uid, group: gid, sizeBytes: size },
  };
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
