import { createHash, type Hash } from "node:crypto";
import { constants, readSync } from "node:fs";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { writeSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { withRegular } from "./open-regular.ts";

/**
 * Writes bytes at the end of a mirrored file, which must be at `at`. Nothing is sealed or synced: the file is exactly
 * as elsewhere, and what a crash loses is found by its digest. Fails with errno `ESPIPE` if the end is elsewhere.
 */
export function extendAt(path: string, at: number, bytes: Uint8Array): Result<void, FileFailure> {
  const written = withRegular(path, constants.O_WRONLY | constants.O_CREAT, ({ fd, stats }) => {
    if (stats.size !== at) return fail("ESPIPE");
    return attempt(() => {
      for (let sent = 0; sent < bytes.length;) sent += writeSync(fd, bytes, sent, at + sent);
    });
  });
  return written.ok
    ? written
    : fail(FileFailure({ operation: "append", path, errno: written.failure }));
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
