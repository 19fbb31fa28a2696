import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Result } from "../../base/result.ts";
import { fsyncSync, linkSync, renameSync, unlinkSync, writeSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { syncNameOf, withRegular } from "./open-regular.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** What file systems without hard links answer to `link`. */
const NO_HARD_LINKS: readonly Errno[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Whether `name` is that of a temporary file of ours; a crash leaves it behind. */
export function isTemporaryName(name: string): boolean {
  return temporaryOf(name) !== undefined;
}

/** The file of which `name` is a temporary one; undefined: it is none. */
export function temporaryOf(name: string): string | undefined {
  return /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
}

/** Puts a file with this content at `path`, whatever was there: readers see the old or the new. */
export function replaceFile(
  path: string,
  bytes: Uint8Array,
  beforePlaced: () => void = () => undefined,
): Result<void, Errno> {
  return withTemporary(path, bytes, (temporary) => {
    beforePlaced();
    return attempt(() => renameSync(temporary, path));
  });
}

/**
 * Puts a file with this content at `path`, where nothing may be yet (`EEXIST`). Without hard links
 * it is still exclusive, but a crash can leave it with a part of its content.
 */
export function createFile(
  path: string,
  bytes: Uint8Array,
  link: (existing: string, path: string) => void = linkSync,
): Result<void, Errno> {
  return withTemporary(path, bytes, (temporary) => {
    const linked = attempt(() => link(temporary, path));
    if (linked.ok || !NO_HARD_LINKS.includes(linked.failure)) return linked;
    const written = writeNew(path, bytes);
    if (!written.ok && written.failure !== "EEXIST") attempt(() => unlinkSync(path));
    return written;
  });
}

/** Writes a durable temporary file beside `path`, has it `placed`, and makes the name durable. */
function withTemporary(
  path: string,
  bytes: Uint8Array,
  place: (temporary: string) => Result<void, Errno>,
): Result<void, Errno> {
  // A name that can be foretold could be planted as a symbolic link to somebody's file.
  const name = `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(dirname(path), name);
  try {
    const written = writeNew(temporary, bytes);
    const placed = written.ok ? place(temporary) : written;
    if (!placed.ok) return placed;
  } finally {
    // After a rename there is nothing left to remove, and that is fine.
    attempt(() => unlinkSync(temporary));
  }
  return syncNameOf(path);
}

function writeNew(path: string, bytes: Uint8Array): Result<void, Errno> {
  return withRegular(path, CREATE, ({ fd }) =>
    attempt(() => {
      // Nobody else sees this file, so a short write may simply be continued.
      for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
      fsyncSync(fd);
    }),
  );
}
