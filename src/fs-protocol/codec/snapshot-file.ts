import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { Files } from "../../base/ports/files.ts";

/** A file that keeps computed values between processes. It may be removed at any time. */
export interface SnapshotPlace {
  readonly path: string;
  /** Identifies the program that computed them, and all that they depend on besides the files. */
  readonly key: () => string;
  /** How many new bytes of logs are worth a new snapshot. */
  readonly worthBytes: number;
}

const DIGEST_BYTES = 32;
/** A larger one is not read. The folds of a million records have a few MB. */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;

/** What the file holds; undefined if it is absent, damaged, or from another program. */
export function readSnapshot(files: Files, { path, key }: SnapshotPlace): unknown {
  const read = files.read(path, SNAPSHOT_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  const bytes = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.byteLength);
  const data = bytes.subarray(DIGEST_BYTES);
  // V8 does not verify what it reads.
  if (!digest(key(), data).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  try {
    return deserialize(data);
  } catch {
    return undefined;
  }
}

/** Replaces the file. Losing it costs time and nothing else, so a failure is ignored. */
export function writeSnapshot(files: Files, { path, key }: SnapshotPlace, value: unknown): void {
  const data = serialize(value);
  // The next process reads the logs instead.
  files.replace(path, Buffer.concat([digest(key(), data), data]));
}

function digest(key: string, data: Uint8Array): Buffer {
  return createHash("sha256").update(`${key}\0`).update(data).digest();
}
