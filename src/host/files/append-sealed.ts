import { fstatSync, readSync } from "node:fs";
import { SEAL } from "../../base/ports/files.ts";
import { fail, type Result } from "../../base/result.ts";
import { appendSync, fsyncSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

const NEWLINE = Buffer.from("\n");
const SEAL_BYTES = Buffer.from(SEAL);

/** The part of `appendSync` that appending needs; tests pass one that writes fewer bytes than requested. */
export type Write = (fd: number, bytes: Uint8Array) => number;

/**
 * Appends whole lines to an O_APPEND descriptor that is also readable, and makes them durable.
 *
 * Bytes after the last newline are a killed writer's fragment. Appending to it would join two lines into one that
 * may even parse (`m` + `m2|a|b`), so in that case the buffer starts with a seal. Everything is one write, because
 * a second write could land after another writer's bytes. A short write is never continued: it is sealed at once
 * and reported, and the caller repeats the whole write.
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

/** Whether the file ends in anything other than a newline. */
function hasTornTail(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && !last.equals(NEWLINE);
}

/** Always fails, with the disk's own error if it still reports one. */
function sealFragment(fd: number, write: Write): Result<void, Errno> {
  const sealed = attempt(() => write(fd, SEAL_BYTES));
  // If even this fails, the next append finds the fragment and seals it.
  if (!sealed.ok) return sealed;
  const synced = attempt(() => fsyncSync(fd));
  return synced.ok ? fail("EIO") : synced;
}
