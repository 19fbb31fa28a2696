import { createHash, type Hash } from "node:crypto";
import { constants, lstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { rmdirSync, writeSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { withRegular } from "./open-regular.ts";

/**
 * Writes bytes at the end of a mirrored file, which must be at `at`. Nothing is sealed or synced: the file is exactly
 * as elsewhere, and what a crash loses is found by its digest. Fails with errno `ESPIPE` if the end is elsewhere.
 */
export function extendAt(path: string, at: number, bytes: Uint8Array): Result<void, FileFailure> {
  // A file that is missing has no end but its beginning: nothing is made of a part of it.
  const flags = at === 0 ? constants.O_WRONLY | constants.O_CREAT : constants.O_WRONLY;
  const written = withRegular(path, flags, ({ fd, stats }) => {
    if (stats.size !== at) return fail("ESPIPE");
    return attempt(() => {
      for (let sent = 0; sent < bytes.length;) sent += writeSync(fd, bytes, sent, at + sent);
    });
  });
  return written.ok
    ? written
    : fail(FileFailure({ operation: "append", path, errno: written.failure }));
}

/**
 * Makes room for a file: removes a directory at its path if there are only directories in it. Does nothing if there is
 * no directory. Fails with errno `ENOTEMPTY` if there is anything else; what was empty may be gone then.
 */
export function clearDirectories(path: string): Result<void, FileFailure> {
  const cleared = attempt(() => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) clear(path);
  });
  return cleared.ok
    ? cleared
    : fail(FileFailure({ operation: "replace", path, errno: cleared.failure }));
}

function clear(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) clear(join(directory, entry.name));
  }
  rmdirSync(directory);
}

/** A digest of the beginning of a file, and how far it goes. */
export interface MirroredDigest {
  readonly hash: Hash;
  readonly bytes: number;
}

/** Digests a file up to `bytesMax`, or up to its end if that comes first; `undefined` if there is none. */
export function digestPrefix(
  path: string,
  bytesMax: number,
): Result<MirroredDigest | undefined, FileFailure> {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(READ_CHUNK_BYTES);
  const read = withRegular(path, constants.O_RDONLY, ({ fd }) =>
    attempt(() => {
      for (let at = 0; at < bytesMax;) {
        const count = readSync(fd, chunk, 0, Math.min(chunk.length, bytesMax - at), at);
        if (count === 0) return at;
        hash.update(chunk.subarray(0, count));
        at += count;
      }
      return bytesMax;
    }),
  );
  if (read.ok) return ok({ hash, bytes: read.value });
  if (read.failure === "ENOENT") return ok(undefined);
  return fail(FileFailure({ operation: "read", path, errno: read.failure }));
}
