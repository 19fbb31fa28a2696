import { createHash } from "node:crypto";
import { closeSync, constants, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ExactContent } from "../../base/ports/directories.ts";
import { ok, type Result } from "../../base/result.ts";
import {
  fsyncSync,
  makeDirectories,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { openRegular, syncNameOf, type OpenFile } from "./open-regular.ts";

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const CHUNK_BYTES = 1024 * 1024;
/** What opening a path fails with if no regular file is there. */
const NO_FILE: readonly Errno[] = ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO"];

/** Copies a regular file that has exactly this content; false if there is none. See the port. */
export async function copyExactly(
  from: string,
  to: string,
  content: ExactContent,
): Promise<Result<boolean, Errno>> {
  const opened = openRegular(from, constants.O_RDONLY);
  if (!opened.ok) return NO_FILE.includes(opened.failure) ? ok(false) : opened;
  try {
    if (opened.value.stats.size !== content.sizeBytes) return ok(false);
    return await copyBeside(opened.value, { temporary: temporaryFor(from, to), to }, content);
  } finally {
    closeSync(opened.value.fd);
  }
}

/**
 * The temporary file for a copy. It is named by where the copy comes from, which one process has to itself, so that what
 * a killed process left, which may be large, goes with the next attempt.
 */
function temporaryFor(from: string, to: string): string {
  const origin = createHash("sha256").update(from).digest("hex").slice(0, 12);
  return join(dirname(to), `.${basename(to)}.${origin}.tmp`);
}

/** Writes a temporary file beside `to`, which takes its place once it is whole and is what it should be. */
async function copyBeside(
  source: OpenFile,
  { temporary, to }: { readonly temporary: string; readonly to: string },
  content: ExactContent,
): Promise<Result<boolean, Errno>> {
  const made = attempt(() => makeDirectories(dirname(to), 0o777));
  if (!made.ok) return made;
  const left = attempt(() => unlinkSync(temporary));
  if (!left.ok && left.failure !== "ENOENT") return left;
  const opened = attempt(() => openSync(temporary, NEW, 0o666));
  if (!opened.ok) return opened;
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(opened.value);
    isOpen = false;
  };
  try {
    const isExact = await pour(source.fd, opened.value, content);
    if (!isExact.ok || !isExact.value) return isExact;
    const placed = attempt(() => {
      fsyncSync(opened.value);
      close();
      renameSync(temporary, to);
    });
    if (!placed.ok) return placed;
  } finally {
    close();
    // After the rename there is nothing to remove, and this fails without harm.
    attempt(() => unlinkSync(temporary));
  }
  const synced = syncNameOf(to);
  return synced.ok ? ok(true) : synced;
}

/** Copies the bytes, and returns whether they were what they should be. Others of the process go on meanwhile. */
async function pour(
  from: number,
  to: number,
  { sha256, sizeBytes }: ExactContent,
): Promise<Result<boolean, Errno>> {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let doneBytes = 0;
  for (;;) {
    const position = doneBytes;
    const got = attempt(() => readSync(from, chunk, 0, chunk.length, position));
    if (!got.ok) return got;
    if (got.value === 0) break;
    doneBytes += got.value;
    // It grows while it is read.
    if (doneBytes > sizeBytes) return ok(false);
    const bytes = chunk.subarray(0, got.value);
    hash.update(bytes);
    const written = attempt(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(to, bytes, at);
    });
    if (!written.ok) return written;
    await setImmediate();
  }
  return ok(doneBytes === sizeBytes && hash.digest("hex") === sha256);
}
