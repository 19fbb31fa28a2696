import { closeSync, constants, fstatSync, lstatSync } from "node:fs";
import { z } from "zod";
import { jsonOf } from "../../base/words/json-text.ts";
import { openSync, rmdirSync, symlinkSync, unlinkSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { lockDescriptor } from "./kernel-lock.ts";
import { readLink } from "../files/node-links.ts";
import { fateOf, ownMark, ProcessMark } from "../processes/process-mark.ts";

/** After this a lock is taken for that of a killed process, whoever holds it. */
const STALE_MS = 15_000;
const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Which directory a lock is: another one may come to lie at its path, with the same inode. */
const Incarnation = z.object({ inode: z.string(), changedNs: z.string() });
type Incarnation = z.infer<typeof Incarnation>;

const Note = z.object({ ...ProcessMark.shape, ...Incarnation.shape });

/** Where the holder of the lock `<path>.lock` notes who it is: a symbolic link, made in one step. */
function notePathOf(lockPath: string): string {
  return `${lockPath}.holder`;
}

/** Notes that this process holds the lock; without a note it is only not freed as early. */
export function noteHolder(lockPath: string): void {
  const seen = look(lockPath);
  if (seen === undefined) return;
  const { inode, changedNs } = seen;
  const note = JSON.stringify({ ...ownMark(), inode, changedNs });
  const path = notePathOf(lockPath);
  // That of a killed holder, whose lock was removed without it.
  attempt(() => unlinkSync(path));
  attempt(() => symlinkSync(note, path));
}

/** Takes the note away, if it is still of this process. */
export function forgetHolder(lockPath: string): void {
  const note = readNote(lockPath);
  if (note?.pid !== process.pid) return;
  attempt(() => unlinkSync(notePathOf(lockPath)));
}

/**
 * Removes the lock at `lockPath` if its holder is provably dead, or if it is stale. Returns whether
 * the lock may be had now. Who removes one holds a lock of the kernel on the very directory
 * meanwhile, so that nobody removes the lock that another one has taken after him.
 */
export async function removeLeftLock(lockPath: string): Promise<boolean> {
  const seen = look(lockPath);
  if (seen === undefined) return true;
  if (whyLeft(lockPath, seen) === undefined) return false;
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
  const seen = look(lockPath);
  const { ino, dev } = fstatSync(fd, { bigint: true });
  // While it is open, nothing else gets its number.
  if (seen?.inode !== inodeOf(dev, ino)) return true;
  const why = whyLeft(lockPath, seen);
  // Without the kernel's lock two could remove at once: then only what nobody has touched for long.
  if (why === undefined || (why === "dead" && guard === "no-helper")) return false;
  attempt(() => unlinkSync(notePathOf(lockPath)));
  const removed = attempt(() => rmdirSync(lockPath));
  return removed.ok || removed.failure === "ENOENT";
}

interface Seen extends Incarnation {
  readonly changedMs: number;
}

function look(lockPath: string): Seen | undefined {
  const found = attempt(() => lstatSync(lockPath, { bigint: true, throwIfNoEntry: false }));
  if (!found.ok || found.value === undefined) return undefined;
  const { dev, ino, mtimeNs, mtimeMs } = found.value;
  return { inode: inodeOf(dev, ino), changedNs: String(mtimeNs), changedMs: Number(mtimeMs) };
}

function inodeOf(device: bigint, inode: bigint): string {
  return `${String(device)}:${String(inode)}`;
}

/** Why a lock is one that a killed process left; `undefined`: it may be somebody's. */
function whyLeft(lockPath: string, seen: Seen): "dead" | "stale" | undefined {
  const note = readNote(lockPath);
  const isOfThis = note?.inode === seen.inode && note.changedNs === seen.changedNs;
  if (note !== undefined && isOfThis) {
    const { pid, startTime, space, user } = note;
    if (fateOf({ pid, startTime, space, user }) === "dead") return "dead";
  }
  return Date.now() - seen.changedMs > STALE_MS ? "stale" : undefined;
}

function readNote(lockPath: string): z.infer<typeof Note> | undefined {
  const text = readLink(notePathOf(lockPath));
  return text === undefined ? undefined : Note.safeParse(jsonOf(text)).data;
}
