import { createHash } from "node:crypto";
import type { Oid } from "../../base/oid.ts";

/** An entry of an index, with what git recorded of the file in the work tree. */
export interface FilledEntry {
  /** Bytes with one character each. */
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
  readonly sizeBytes: number;
  /** The low 32 bits of it. */
  readonly inode: number;
  readonly changedMs: number;
  /** Where it begins in the index. */
  readonly at: number;
}

/** The mode of a submodule. */
export const LINK_TO_COMMIT = 0o160_000;

/** The size of an index with a million files. */
export const FILLED_INDEX_BYTES_MAX = 128 * 1024 * 1024;

const HEADER_BYTES = 12;
/** Offsets in an entry; the flags and the name follow the object's id (gitformat-index). */
const MODE_AT = 24;
const INODE_AT = 20;
const SIZE_AT = 36;
const OBJECT_AT = 40;
const EXTENDED = 0x40_00;

/** The entries of an index in the format that git writes by default; undefined for any other. */
export function entriesOfIndex(
  index: Uint8Array,
  hashBytes: number,
): readonly FilledEntry[] | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (view.length < HEADER_BYTES + hashBytes || view.toString("latin1", 0, 4) !== "DIRC") return;
  if (view.readUInt32BE(4) !== 2) return undefined;
  const entries: FilledEntry[] = [];
  let at = HEADER_BYTES;
  for (let remaining = view.readUInt32BE(8); remaining > 0; remaining--) {
    const flagsAt = at + OBJECT_AT + hashBytes;
    const end = view.indexOf(0, flagsAt + 2);
    if (end === -1 || (view.readUInt16BE(flagsAt) & EXTENDED) !== 0) return undefined;
    entries.push({
      at,
      path: view.toString("latin1", flagsAt + 2, end),
      mode: view.readUInt32BE(at + MODE_AT),
      oid: view.toString("hex", at + OBJECT_AT, flagsAt),
      sizeBytes: view.readUInt32BE(at + SIZE_AT),
      inode: view.readUInt32BE(at + INODE_AT),
      changedMs: view.readUInt32BE(at) * 1_000 + Math.floor(view.readUInt32BE(at + 4) / 1e6),
    });
    // At least one byte pads each entry to a multiple of eight.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return entries;
}

/**
 * The same index with the change times that files have now. git itself does not note a change of rights within the second
 * in which it wrote a file.
 */
export function indexWithTimes(
  index: Uint8Array,
  hashBytes: number,
  changedMsOf: (entry: FilledEntry) => number | undefined,
): Uint8Array | undefined {
  const entries = entriesOfIndex(index, hashBytes);
  if (entries === undefined) return undefined;
  const bytes = Buffer.from(index);
  for (const entry of entries) {
    const changedMs = changedMsOf(entry);
    if (changedMs === undefined) continue;
    const seconds = Math.floor(changedMs / 1_000);
    bytes.writeUInt32BE(seconds, entry.at);
    bytes.writeUInt32BE((Math.floor(changedMs) - seconds * 1_000) * 1e6, entry.at + 4);
  }
  const end = bytes.length - hashBytes;
  const hash = createHash(hashBytes === SHA1_BYTES ? "sha1" : "sha256");
  hash.update(bytes.subarray(0, end)).digest().copy(bytes, end);
  return bytes;
}

const SHA1_BYTES = 20;
