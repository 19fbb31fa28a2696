import { closeSync, constants, fstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { fsyncSync, openSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

/** An open regular file; whoever opened it closes it. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file and nothing else, mode 0600 when it is created: a symbolic link is `ELOOP`, a
 * directory `EISDIR`, a FIFO or a device `ENXIO`. O_NONBLOCK, because opening a FIFO without it waits
 * for the other end for ever. Node adds O_CLOEXEC to every open by itself.
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

/** Opens a regular file for the time of `body`. */
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

/** Opens a file that output is appended to, making it when there is none. */
export function openOutput(path: string): Result<OpenFile, Errno> {
  return openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
}

/** Makes the entries of a directory durable: without it a new name is lost in a power cut. */
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
