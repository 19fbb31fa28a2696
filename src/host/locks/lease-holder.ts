import { statSync } from "node:fs";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { Files } from "../../base/ports/files.ts";
import { holderPathOf } from "../../base/ports/locks.ts";
import { NO_DIGEST } from "../../base/program-digest.ts";
import { jsonIn } from "../../base/words/json-text.ts";
import { attempt } from "../system/errno.ts";
import { HAS_PROC, identify } from "../processes/process-identity.ts";

const HOLDER_BYTES_MAX = 4 * 1024;

/**
 * What the holder of a lease writes into `<path>.json`, for people and for cheap checks; it excludes nobody.
 * `since` is a time in ISO 8601.
 */
export const LeaseHolder = lateObject(() => ({
  pid: z.int().positive(),
  startTime: z.string(),
  since: z.string(),
  /** The descriptor that carries the lock in that process. */
  fd: z.int().nonnegative().optional(),
  /** The digest of the program that it runs; absent: an older wisp, or another program. */
  code: z.string().optional(),
}));
export type LeaseHolder = z.infer<typeof LeaseHolder>;

/** The recorded holder of the lease; `undefined` if none is recorded or it cannot be read. */
export function readHolder(files: Files, path: string): LeaseHolder | undefined {
  return LeaseHolder.safeParse(jsonIn(files, holderPathOf(path), HOLDER_BYTES_MAX), {
    jitless: true,
  }).data;
}

/** Whether the recorded process is alive; another process that now has its pid does not count. */
export function isHolderAlive(holder: LeaseHolder): boolean {
  return identify(holder.pid)?.startTime === holder.startTime;
}

/**
 * Whether a holder runs another wisp than the one with this digest. One that names none is an older wisp, unless it may be
 * another program: a role may be written in any language.
 */
export function runsOther(
  { code }: LeaseHolder,
  own: string | undefined,
  mayBeForeign: boolean,
): boolean {
  if (own === undefined || own === NO_DIGEST) return false;
  return code === undefined ? !mayBeForeign : code !== own;
}

/** Whether that process has the lock file open, under the descriptor that it recorded. */
export function hasLockOpen({ pid, fd }: LeaseHolder, path: string): boolean {
  if (!HAS_PROC || fd === undefined) return false;
  const compared = attempt(() => {
    const own = statSync(path, { bigint: true });
    const theirs = statSync(`/proc/${pid}/fd/${fd}`, { bigint: true });
    return own.ino === theirs.ino && own.dev === theirs.dev;
  });
  return compared.ok && compared.value;
}
