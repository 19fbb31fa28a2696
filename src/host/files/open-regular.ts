import { closeSync, constants, fstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { fsyncSync, openSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

/** An open regular file; the caller must close it. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file and nothing else, with mode 0600 if it is created. A symbolic link gives `ELOOP`, a
 * directory `EISDIR`, a FIFO or a device `ENXIO`. O_NONBLOCK prevents an endless wait for the other end of a FIFO.
 * Node itself adds O_CLOEXEC to every open.
 */
export function openRegular(path: string, flags: number): Result<OpenFile, Errno> {
  const safeFlags = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const opened = attempt(() => openSync(path, safeFlags, 0o600));
  if (!opened.ok) return opened;
  const fd = opened.value;
  const stats = attempt(() => fstatSync(fd));
  if (stats.ok && stats.value.isFile()) return ok({ fd, stats: stats.value });
  closeSync(fd);
  if (!stats.ok) return stats;
  return fail(stats.value.isDirectory() ? "EISDIR" : "ENXIO");
}

/** Opens a regular file while `body` runs. */
export function withRegular<T>(
  path: string,
  flags: number,
  body: (file: OpenFile) => Result<T, Errno>,
): Result<T, Errno> {
  const opened = openRegular(path, flags);
  if (!opened.ok) return opened;
  try {
    return body(opened.value);
  } finally {
    closeSync(opened.value.fd);
  }
}

/** Opens a file for appended output; creates it if it does not exist. */
export function openOutput(path: string): Result<OpenFile, Errno> {
  return openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
}

/** Makes the entries of a directory durable; without this, a power cut loses new names. */
export function syncDirectory(path: string): Result<void, Errno> {
  return attempt(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** Makes the name of a file durable. */
export function syncNameOf(path: string): Result<void, Errno> {
  return syncDirectory(dirname(path));
}
