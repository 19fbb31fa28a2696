import { fstatSync, readSync } from "node:fs";
import { SEAL } from "../../base/ports/files.ts";
import { fail, type Result } from "../../base/result.ts";
import { appendSync, fsyncSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

const NEWLINE = Buffer.from("\n");
const SEAL_BYTES = Buffer.from(SEAL);

/** `appendSync` as far as appending needs it; tests give one that writes less than it was asked to. */
export type Write = (fd: number, bytes: Uint8Array) => number;

/**
 * Appends whole lines to an O_APPEND descriptor that can also be read, and makes them durable.
 *
 * Bytes after the last newline are what a killed writer left. Appending to them would glue two lines
 * into one that may even parse (`m` + `m2|a|b`), so the buffer then opens with a seal. It is one
 * write: what a second write added could follow another writer's bytes. A write that comes back short
 * is never continued but sealed at once and reported; the caller repeats the whole.
 */
export function appendSealed(
  fd: number,
  bytes: Uint8Array,
  write: Write = appendSync,
): Result<void, Errno> {
  const torn = attempt(() => hasTornTail(fd));
  if (!torn.ok) return torn;
  const buffer = torn.value ? Buffer.concat([SEAL_BYTES, bytes]) : bytes;
  const written = attempt(() => write(fd, buffer));
  if (!written.ok) return written;
  if (written.value < buffer.length) return sealFragment(fd, write);
  return attempt(() => fsyncSync(fd));
}

/** Whether the file ends in anything but a newline. */
function hasTornTail(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && !last.equals(NEWLINE);
}

/** Always a failure: with the reason why the disk takes no more when it still says one. */
function sealFragment(fd: number, write: Write): Result<void, Errno> {
  const sealed = attempt(() => write(fd, SEAL_BYTES));
  // When even that fails, the next append finds the torn tail and seals it.
  if (!sealed.ok) return sealed;
  const synced = attempt(() => fsyncSync(fd));
  return synced.ok ? fail("EIO") : synced;
}
