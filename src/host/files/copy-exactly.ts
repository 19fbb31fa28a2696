import { createHash } from "node:crypto";
import { closeSync, constants, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ExactContent, PlaceAs } from "../../base/ports/directories.ts";
import { ok, type Result } from "../../base/result.ts";
import {
  fsyncSync,
  makeDirectories,
  openSync,
  renameSync,
  setModifiedSync,
  unlinkSync,
  writeSync,
} from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";
import { openRegular, syncNameOf, type OpenFile } from "./open-regular.ts";
import { shareAnew } from "./share-file.ts";

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const CHUNK_BYTES = 1024 * 1024;
/** What opening a path fails with if no regular file is there. */
const NO_FILE: readonly Errno[] = ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO"];

/** Copies a regular file that has exactly this content; false if there is none. See the port. */
export function copyExactly(
  from: string,
  to: string,
  content: ExactContent,
): Promise<Result<boolean, Errno>> {
  return copyOpened({ from, to, content, as: undefined });
}

/** Like `copyExactly`, for a file that can be made again. See the port. */
export function placeExactly(
  from: string,
  to: string,
  content: ExactContent,
  as: PlaceAs,
): Promise<Result<boolean, Errno>> {
  return copyOpened({ from, to, content, as });
}

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly content: ExactContent;
  /** Absent: the copy is made durable. */
  readonly as: PlaceAs | undefined;
}

async function copyOpened(copy: Copy): Promise<Result<boolean, Errno>> {
  const opened = openRegular(copy.from, constants.O_RDONLY);
  if (!opened.ok) return NO_FILE.includes(opened.failure) ? ok(false) : opened;
  try {
    if (opened.value.stats.size !== copy.content.sizeBytes) return ok(false);
    const temporary = copy.as?.temporary ?? temporaryFor(copy.from, copy.to);
    return await copyBeside(opened.value, temporary, copy);
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

/** Makes a temporary file, which takes its place at `to` once it is whole and is what it should be. */
async function copyBeside(
  source: OpenFile,
  temporary: string,
  copy: Copy,
): Promise<Result<boolean, Errno>> {
  const { from, to, content, as } = copy;
  const made = attempt(() => makeDirectories(dirname(to), 0o777));
  if (!made.ok) return made;
  const left = attempt(() => unlinkSync(temporary));
  if (!left.ok && left.failure !== "ENOENT") return left;
  const mode = as?.isExecutable === true ? 0o777 : 0o666;
  try {
    const isShared = as !== undefined && (await shareAnew(from, temporary, mode)).ok;
    const isExact = isShared
      ? await hasExactly(temporary, content)
      : await write(source, { temporary, mode, isDurable: as === undefined }, content);
    if (!isExact.ok || !isExact.value) return isExact;
    const placed = attempt(() => {
      if (as?.modifiedMs !== undefined) setModifiedSync(temporary, as.modifiedMs);
      renameSync(temporary, to);
    });
    if (!placed.ok) return placed;
  } finally {
    // After the rename there is nothing to remove, and this fails without harm.
    attempt(() => unlinkSync(temporary));
  }
  const synced = as === undefined ? syncNameOf(to) : ok(undefined);
  return synced.ok ? ok(true) : synced;
}

/** Whether what a file shares is what it should be: its source may have changed since it was opened. */
async function hasExactly(path: string, content: ExactContent): Promise<Result<boolean, Errno>> {
  const opened = openRegular(path, constants.O_RDONLY);
  if (!opened.ok) return opened;
  try {
    return await pour(opened.value.fd, undefined, content);
  } finally {
    closeSync(opened.value.fd);
  }
}

interface NewFile {
  readonly temporary: string;
  readonly mode: number;
  readonly isDurable: boolean;
}

async function write(
  source: OpenFile,
  { temporary, mode, isDurable }: NewFile,
  content: ExactContent,
): Promise<Result<boolean, Errno>> {
  const opened = attempt(() => openSync(temporary, NEW, mode));
  if (!opened.ok) return opened;
  try {
    const isExact = await pour(source.fd, opened.value, content);
    if (!isExact.ok || !isExact.value || !isDurable) return isExact;
    const synced = attempt(() => {
      fsyncSync(opened.value);
    });
    return synced.ok ? isExact : synced;
  } finally {
    closeSync(opened.value);
  }
}

/** Copies the bytes, if anywhere, and returns whether they were what they should be. Others of the process go on meanwhile. */
async function pour(
  from: number,
  to: number | undefined,
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
      for (let at = 0; to !== undefined && at < bytes.length;) at += writeSync(to, bytes, at);
    });
    if (!written.ok) return written;
    await setImmediate();
  }
  return ok(doneBytes === sizeBytes && hash.digest("hex") === sha256);
}
