import { closeSync, constants, fstatSync, lstatSync } from "node:fs";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { lockNoteOf } from "../../base/ports/locks.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { openSync, rmdirSync, symlinkSync, unlinkSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { lockDescriptor } from "./kernel-lock.ts";
import { readLink } from "../files/node-links.ts";
import { fateOf, ownMark, ProcessMark } from "../processes/process-mark.ts";

/** After this time a lock counts as left by a killed process, whoever its holder is. */
const STALE_MS = 15_000;
const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Identifies a lock's directory: a later one at the same path may have the same inode. */
const Incarnation = lateObject(() => ({ inode: z.string(), changedNs: z.string() }));
type Incarnation = z.infer<typeof Incarnation>;

const Note = lateObject(() => ({ ...ProcessMark.shape, ...Incarnation.shape }));

/** Records that this process holds the lock; without the record, the lock is just not freed as early. */
export function recordHolder(lockPath: string): void {
  const seen = readState(lockPath);
  if (seen === undefined) return;
  const { inode, changedNs } = seen;
  const note = JSON.stringify({ ...ownMark(), inode, changedNs });
  const path = lockNoteOf(lockPath);
  // A killed holder's record may remain after its lock was removed.
  attempt(() => unlinkSync(path));
  attempt(() => symlinkSync(note, path));
}

/** Removes the record, if it is this process's. */
export function forgetHolder(lockPath: string): void {
  const note = readNote(lockPath);
  if (note?.pid !== process.pid) return;
  attempt(() => unlinkSync(lockNoteOf(lockPath)));
}

/**
 * Removes the lock at `lockPath` if its holder is provably dead, or if it is stale. Returns whether the lock may
 * now be acquired. During the removal, the process holds a kernel lock on that very directory, so that it cannot
 * remove a lock that another process has acquired meanwhile.
 */
export async function removeAbandonedLock(lockPath: string): Promise<boolean> {
  const seen = readState(lockPath);
  if (seen === undefined) return true;
  if (reasonToRemove(lockPath, seen) === undefined) return false;
  const opened = attempt(() => openSync(lockPath, OPEN_DIRECTORY));
  if (!opened.ok) return opened.failure === "ENOENT";
  try {
    return await removeOpened(lockPath, opened.value);
  } finally {
    closeSync(opened.value);
  }
}

async function removeOpened(lockPath: string, fd: number): Promise<boolean> {
  const guard = await lockDescriptor(fd);
  if (guard === "held") return false;
  const seen = readState(lockPath);
  const { ino, dev } = fstatSync(fd, { bigint: true });
  // While the directory is open, no other gets its inode number.
  if (seen?.inode !== inodeOf(dev, ino)) return true;
  const reason = reasonToRemove(lockPath, seen);
  // Without the kernel's lock two processes could remove at once, so only a lock that is long unused goes.
  if (reason === undefined || (reason === "dead" && guard === "no-helper")) return false;
  attempt(() => unlinkSync(lockNoteOf(lockPath)));
  const removed = attempt(() => rmdirSync(lockPath));
  return removed.ok || removed.failure === "ENOENT";
}

interface Seen extends Incarnation {
  readonly changedMs: number;
}

function readState(lockPath: string): Seen | undefined {
  const found = attempt(() => lstatSync(lockPath, { bigint: true, throwIfNoEntry: false }));
  if (!found.ok || found.value === undefined) return undefined;
  const { dev, ino, mtimeNs, mtimeMs } = found.value;
  return { inode: inodeOf(dev, ino), changedNs: String(mtimeNs), changedMs: Number(mtimeMs) };
}

function inodeOf(device: bigint, inode: bigint): string {
  return `${String(device)}:${String(inode)}`;
}

/** Why a lock counts as left by a killed process; `undefined` if it may be in use. */
function reasonToRemove(lockPath: string, seen: Seen): "dead" | "stale" | undefined {
  const note = readNote(lockPath);
  const isOfThis = note?.inode === seen.inode && note.changedNs === seen.changedNs;
  if (note !== undefined && isOfThis) {
    const { pid, startTime, space, user } = note;
    if (fateOf({ pid, startTime, space, user }) === "dead") return "dead";
  }
  return Date.now() - seen.changedMs > STALE_MS ? "stale" : undefined;
}

function readNote(lockPath: string): z.infer<typeof Note> | undefined {
  const text = readLink(lockNoteOf(lockPath));
  return text === undefined ? undefined : Note.safeParse(jsonOf(text), { jitless: true }).data;
}
