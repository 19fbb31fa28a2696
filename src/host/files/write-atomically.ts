import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ok, type Result } from "../../base/result.ts";
import {
  fsyncSync,
  linkSync,
  makeDirectories,
  renameSync,
  unlinkSync,
  writeSync,
} from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { syncNameOf, withRegular } from "./open-regular.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** The errors that file systems without hard links return for `link`. */
const NO_HARD_LINKS: readonly Errno[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Whether `name` is one of our temporary files, which a crash leaves behind. */
export function isTemporaryName(name: string): boolean {
  return temporaryOf(name) !== undefined;
}

/** The file that the temporary file `name` was made for; `undefined` if it is not a temporary file. */
export function temporaryOf(name: string): string | undefined {
  return /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
}

/** Writes a file at `path` atomically, replacing anything there: readers see the old or the new content. */
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
 * Creates a file with this content at `path`; fails with `EEXIST` if anything is there. Without hard links this is
 * still exclusive, but a crash can leave the file incomplete.
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

/** Like `createFile`, but makes the directory if it is absent, and does not make any name durable. */
export function createCopy(path: string, bytes: Uint8Array): Result<void, Errno> {
  const made = attempt(() => makeDirectories(dirname(path), 0o700));
  if (!made.ok) return made;
  const link = (temporary: string) => attempt(() => linkSync(temporary, path));
  return withTemporary(path, bytes, link, () => ok(undefined));
}

/** Writes a durable temporary file beside `path`, calls `place`, and makes the name durable. */
function withTemporary(
  path: string,
  bytes: Uint8Array,
  place: (temporary: string) => Result<void, Errno>,
  settle: (path: string) => Result<void, Errno> = syncNameOf,
): Result<void, Errno> {
  // A predictable name could be planted as a symbolic link to someone's file.
  const name = `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(dirname(path), name);
  try {
    const written = writeNew(temporary, bytes);
    const placed = written.ok ? place(temporary) : written;
    if (!placed.ok) return placed;
  } finally {
    // After a rename there is nothing to remove, and this fails without harm.
    attempt(() => unlinkSync(temporary));
  }
  return settle(path);
}

/** Creates a file without syncing anything; fails with `EEXIST` if anything is at `path`. */
export function createScratch(path: string, bytes: Uint8Array): Result<void, Errno> {
  return writeNew(path, bytes, () => undefined);
}

function writeNew(path: string, bytes: Uint8Array, sync = fsyncSync): Result<void, Errno> {
  return withRegular(path, CREATE, ({ fd }) =>
    attempt(() => {
      // No other process sees this file, so a short write can simply be continued.
      for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
      sync(fd);
    }),
  );
}
