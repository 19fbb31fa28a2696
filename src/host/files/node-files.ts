import { constants, lstatSync, readdirSync, readSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { assert } from "../../base/assert.ts";
import { type Files, FileFailure } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { AppendDescriptors } from "./append-descriptors.ts";
import { appendSealed } from "./append-sealed.ts";
import { fsyncSync, linkSync, makeDirectories, unlinkSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { syncDirectory, syncNameOf, withRegular } from "./open-regular.ts";
import {
  createCopy,
  createFile,
  createScratch,
  isTemporaryName,
  replaceFile,
  temporaryOf,
} from "./write-atomically.ts";

const EMPTY = new Uint8Array();
const NEWLINE_BYTE = 0x0a;

/**
 * Implements the files port with the file system. New files have mode 0600. `read` without a limit reads up to
 * `DOCUMENT_BYTES_MAX`. `list` omits the temporary files of `replace` and `create`. `stat` describes whatever is at
 * the path, even a symbolic link. `remove` is not made durable: at worst, a power cut brings back a file that was
 * just removed.
 */
export function createNodeFiles(): Files {
  const descriptors = new AppendDescriptors();
  return {
    readChunk: (path, offsetBytes, lengthBytesMax) =>
      named("read", path, readRange(path, offsetBytes, lengthBytesMax)),
    read: (path, sizeBytesMax = DOCUMENT_BYTES_MAX) =>
      named("read", path, readWhole(path, sizeBytesMax)),
    stat: (path) => {
      // Often called for absent files, and creating an error for each would be the main cost.
      const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
      if (!found.ok || found.value === undefined) return undefined;
      const { size, ino, ctimeMs, mode } = found.value;
      const isExecutable = (mode & constants.S_IXUSR) !== 0;
      return { sizeBytes: size, inode: ino, changedMs: ctimeMs, isExecutable };
    },
    append: (path, bytes) => named("append", path, append(descriptors, path, bytes)),
    replace: (path, bytes, beforePlaced) =>
      named("replace", path, replaceFile(path, bytes, beforePlaced)),
    create: (path, bytes) => named("create", path, createFile(path, bytes)),
    createCopy: (path, bytes) => named("create", path, createCopy(path, bytes)),
    createScratch: (path, bytes) => named("create", path, createScratch(path, bytes)),
    link: (existing, path) => named("link", path, link(existing, path)),
    list: (path) => named("list", path, list(path)),
    makeDirectory: (path) => named("make-directory", path, makeDirectory(path, syncChain)),
    makeScratchDirectory: (path) =>
      named(
        "make-directory",
        path,
        makeDirectory(path, () => ok(undefined)),
      ),
    remove: (path) =>
      named(
        "remove",
        path,
        absentAs(
          undefined,
          attempt(() => unlinkSync(path)),
        ),
      ),
    removeTemporaries: (directory, names) =>
      named("remove", directory, removeTemporaries(directory, names)),
  };
}

function named<T>(
  operation: FileFailure["operation"],
  path: string,
  result: Result<T, Errno>,
): Result<T, FileFailure> {
  if (result.ok) return result;
  return fail(FileFailure({ operation, path, errno: result.failure }));
}

/** Turns the failure for an absent file into a value. */
function absentAs<T, A>(value: A, result: Result<T, Errno>): Result<T | A, Errno> {
  return !result.ok && result.failure === "ENOENT" ? ok(value) : result;
}

function readRange(path: string, offset: number, lengthMax: number): Result<Uint8Array, Errno> {
  assert(offset >= 0 && lengthMax >= 0, "a range of bytes has no negative end");
  const read = withRegular(path, constants.O_RDONLY, ({ fd, stats }) => {
    const length = Math.min(lengthMax, stats.size - offset);
    return length > 0 ? readFully(fd, offset, length) : ok(EMPTY);
  });
  return absentAs(EMPTY, read);
}

function readWhole(path: string, sizeMax: number): Result<Uint8Array | undefined, Errno> {
  const read = withRegular(path, constants.O_RDONLY, ({ fd, stats }) =>
    stats.size > sizeMax ? fail("EFBIG") : readFully(fd, 0, stats.size),
  );
  return absentAs(undefined, read);
}

/** Reads the range; returns fewer bytes only if the file was truncated meanwhile. */
function readFully(fd: number, offset: number, length: number): Result<Uint8Array, Errno> {
  return attempt(() => {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(fd, bytes, filled, length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  });
}

function append(
  descriptors: AppendDescriptors,
  path: string,
  bytes: Uint8Array,
): Result<void, Errno> {
  assert(bytes.at(-1) === NEWLINE_BYTE, "only whole lines are appended");
  const opened = descriptors.open(path);
  if (!opened.ok) return opened;
  const appended = appendSealed(opened.value, bytes);
  if (!appended.ok) descriptors.drop(path);
  return appended;
}

function link(existing: string, path: string): Result<void, Errno> {
  const synced = withRegular(existing, constants.O_RDONLY, ({ fd }) =>
    attempt(() => {
      fsyncSync(fd);
    }),
  );
  // An unreadable file can still be linked.
  if (!synced.ok && synced.failure !== "EACCES") return synced;
  const linked = attempt(() => linkSync(existing, path));
  return linked.ok ? syncNameOf(path) : linked;
}

function list(path: string): Result<readonly string[], Errno> {
  const found = attempt(() => lstatSync(path));
  if (found.ok && found.value.isSymbolicLink()) return fail("ELOOP");
  const names = attempt(() => readdirSync(path).filter((name) => !isTemporaryName(name)));
  return absentAs([], names.ok ? ok(names.value.sort()) : names);
}

/** Not durable, like `remove`. */
function removeTemporaries(
  directory: string,
  names: readonly string[] | undefined,
): Result<void, Errno> {
  const found = absentAs(
    [],
    attempt(() => readdirSync(directory)),
  );
  if (!found.ok) return found;
  for (const name of found.value) {
    const of = temporaryOf(name);
    if (of === undefined || names?.includes(of) === false) continue;
    const removed = attempt(() => unlinkSync(join(directory, name)));
    if (!removed.ok && removed.failure !== "ENOENT") return removed;
  }
  return ok(undefined);
}

/** `sync` is given the oldest directory that existed, and `path`, if anything was created. */
function makeDirectory(path: string, sync: typeof syncChain): Result<void, Errno> {
  const made = attempt(() => makeDirectories(path, 0o700));
  if (!made.ok) return made;
  const found = attempt(() => lstatSync(path));
  if (!found.ok) return found;
  if (!found.value.isDirectory()) return fail(found.value.isSymbolicLink() ? "ELOOP" : "ENOTDIR");
  return made.value === undefined ? ok(undefined) : sync(dirname(made.value), path);
}

/** Makes every new directory durable, from the oldest existing one down to the newest. */
function syncChain(oldest: string, newest: string): Result<void, Errno> {
  let directory = oldest;
  for (const name of relative(oldest, newest).split(sep)) {
    const synced = syncDirectory(directory);
    if (!synced.ok) return synced;
    directory = resolve(directory, name);
  }
  return ok(undefined);
}
