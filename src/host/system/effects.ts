import * as childProcess from "node:child_process";
import * as fs from "node:fs";
import { copyFile as copy } from "node:fs/promises";
import { failpoint } from "../../base/ports/failpoint.ts";

/*
 * Operations that change the outside world, each between two points at which a test can kill the process. All
 * files in this folder use these and not Node's own.
 */

/** Appends to a log with a single write; the descriptor must be opened for appending. */
export function appendSync(fd: number, bytes: Uint8Array): number {
  failpoint("append.before");
  const count = fs.writeSync(fd, bytes);
  failpoint("append.after");
  return count;
}

/** Writes at `position` in the file, or at the descriptor's current position if `undefined`. */
export function writeSync(
  fd: number,
  bytes: Uint8Array,
  offset: number,
  position?: number,
): number {
  failpoint("write.before");
  const count = fs.writeSync(fd, bytes, offset, bytes.length - offset, position);
  failpoint("write.after");
  return count;
}

export function fsyncSync(fd: number): void {
  failpoint("fsync.before");
  fs.fsyncSync(fd);
  failpoint("fsync.after");
}

/** Has a failpoint only if the open may create the file. */
export function openSync(path: string, flags: number, mode?: number): number {
  if ((flags & fs.constants.O_CREAT) === 0) return fs.openSync(path, flags);
  failpoint("create.before");
  const fd = fs.openSync(path, flags, mode);
  failpoint("create.after");
  return fd;
}

export function renameSync(from: string, to: string): void {
  failpoint("rename.before");
  fs.renameSync(from, to);
  failpoint("rename.after");
}

export function linkSync(existing: string, path: string): void {
  failpoint("link.before");
  fs.linkSync(existing, path);
  failpoint("link.after");
}

export function symlinkSync(target: string, path: string): void {
  failpoint("symlink.before");
  fs.symlinkSync(target, path);
  failpoint("symlink.after");
}

export function unlinkSync(path: string): void {
  failpoint("unlink.before");
  fs.unlinkSync(path);
  failpoint("unlink.after");
}

/** Creates a directory with all parents; returns the first directory that was created, if any. */
export function makeDirectories(path: string, mode: number): string | undefined {
  failpoint("mkdir.before");
  const first = fs.mkdirSync(path, { recursive: true, mode });
  failpoint("mkdir.after");
  return first;
}

export function rmdirSync(path: string): void {
  failpoint("rmdir.before");
  fs.rmdirSync(path);
  failpoint("rmdir.after");
}

export function chmodSync(path: string, mode: number): void {
  failpoint("chmod.before");
  fs.chmodSync(path, mode);
  failpoint("chmod.after");
}

/** Sets the time of the last change of content, and leaves a link alone. */
export function setModifiedSync(path: string, modifiedMs: number): void {
  failpoint("utimes.before");
  fs.lutimesSync(path, modifiedMs / 1_000, modifiedMs / 1_000);
  failpoint("utimes.after");
}

/** Shares the content with the copy if the file system can; fails if there is anything at `to`. */
export async function copyFile(from: string, to: string): Promise<void> {
  failpoint("copy.before");
  await copy(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
  failpoint("copy.after");
}

/** Gives an empty file the content of another, which both share, or fails. */
export async function shareFile(from: string, to: string): Promise<void> {
  failpoint("share.before");
  await copy(from, to, fs.constants.COPYFILE_FICLONE_FORCE);
  failpoint("share.after");
}

/** Removes a whole tree; does nothing if there is none. */
export function removeTree(path: string): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  failpoint("rm.before");
  fs.rmSync(path, { recursive: true, force: true });
  failpoint("rm.after");
}

export function spawn(
  command: string,
  args: readonly string[],
  options: childProcess.SpawnOptions,
): childProcess.ChildProcess {
  failpoint("spawn.before");
  const child = childProcess.spawn(command, args, options);
  failpoint("spawn.after");
  return child;
}

/** Copies a file, or a directory with everything in it, to an unused name; not durably. Links are followed. */
export function copyTreeSync(from: string, to: string): void {
  failpoint("copy-tree.before");
  fs.cpSync(from, to, { recursive: true, dereference: true });
  failpoint("copy-tree.after");
}
