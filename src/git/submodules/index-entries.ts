import type { Oid } from "../../base/oid.ts";
import { type IndexPlace, sumUp, visitEntries } from "../repository/index-file.ts";

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

/** Offsets in an entry; the flags and the name follow the object's id (gitformat-index). */
const MODE_AT = 24;
const INODE_AT = 20;
const SIZE_AT = 36;
const OBJECT_AT = 40;

/** The entries of an index in the formats that git writes unless it is told otherwise; undefined for any other. */
export function entriesOfIndex(
  index: Uint8Array,
  hashBytes: number,
): readonly FilledEntry[] | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const entries: FilledEntry[] = [];
  const visit = ({ at, name, end }: IndexPlace) => {
    entries.push({
      at,
      path: view.toString("latin1", name, end),
      mode: view.readUInt32BE(at + MODE_AT),
      oid: view.toString("hex", at + OBJECT_AT, at + OBJECT_AT + hashBytes),
      sizeBytes: view.readUInt32BE(at + SIZE_AT),
      inode: view.readUInt32BE(at + INODE_AT),
      changedMs: view.readUInt32BE(at) * 1_000 + Math.floor(view.readUInt32BE(at + 4) / 1e6),
    });
  };
  return visitEntries(view, visit, hashBytes) ? entries : undefined;
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
  sumUp(bytes, hashBytes);
  return bytes;
}
