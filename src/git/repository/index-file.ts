import { createHash } from "node:crypto";

/**
 * Whether no entry of an index is marked as not to be looked at (`assume-unchanged`, `skip-worktree`),
 * told from the bytes of the file (gitformat-index): some ten times cheaper than a process, and asked
 * before every turn. False as well for every form that is not the usual one: then git is asked.
 */
export function hidesNothing(index: Uint8Array): boolean {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.length < HEADER_BYTES + HASH_BYTES) return false;
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  // Version 4 shortens names; version 3 has a second word of flags, but only where it is needed.
  if (bytes.readUInt32BE(4) !== 2) return false;
  const end = endOfEntries(bytes, bytes.readUInt32BE(8));
  return end !== undefined && hasOptionalExtensions(bytes, end);
}

/** Where the entries of an index begin, and where one (of versions 2 and 3) has its flags and its name. */
const HEADER_BYTES = 12;
const FLAGS_AT = 60;
const NAME_AT = 62;
/** SHA-1, in the entries and at the end: an index of longer hashes does not come out even. */
const HASH_BYTES = 20;
const ASSUME_VALID = 0x80_00;
/** Two more bytes of flags follow. */
const EXTENDED = 0x40_00;
const NAME_LENGTH = 0x0f_ff;

/** Where the entries end; `undefined` when one is marked, or is none. */
function endOfEntries(bytes: Buffer, count: number): number | undefined {
  const last = bytes.length - HASH_BYTES;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    if (at + NAME_AT >= last) return undefined;
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    if ((flags & (ASSUME_VALID | EXTENDED)) !== 0) return undefined;
    const nameEnd = bytes.indexOf(0, at + NAME_AT);
    const length = nameEnd - at - NAME_AT;
    if (nameEnd < 0 || Math.min(length, NAME_LENGTH) !== (flags & NAME_LENGTH)) return undefined;
    // One to eight NULs, to a multiple of eight.
    at += Math.ceil((NAME_AT + length + 1) / 8) * 8;
  }
  return at <= last ? at : undefined;
}

/** An extension in small letters changes what the entries mean, such as that of a split index. */
function hasOptionalExtensions(bytes: Buffer, start: number): boolean {
  const last = bytes.length - HASH_BYTES;
  let at = start;
  while (at + 8 <= last) {
    if (!/^[A-Z]/u.test(bytes.toString("latin1", at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === last;
}

/** In an entry: its mode, and its object with its flags. */
const MODE_AT = 24;
const OBJECT_AT = 40;

/**
 * A digest of what an index says is staged. Times and sizes of files are left out, which git brings up to
 * date whenever somebody asks for the status. An index of another form is taken whole.
 */
export function indexDigest(bytes: Uint8Array): string {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return digestOfEntries(index) ?? createHash("sha256").update(index).digest("hex");
}

function digestOfEntries(index: Buffer): string | undefined {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const hash = createHash("sha256");
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + NAME_AT >= index.length) return undefined;
    const flags = index.readUInt16BE(at + FLAGS_AT);
    const isExtended = version === 3 && (flags & EXTENDED) !== 0;
    const path = at + NAME_AT + (isExtended ? 2 : 0);
    const end = index.indexOf(0, path);
    if (end < 0) return undefined;
    hash.update(index.subarray(at + MODE_AT, at + MODE_AT + 4));
    hash.update(index.subarray(at + OBJECT_AT, end + 1));
    // Entries are padded to eight bytes, with one byte of padding at least.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return hash.digest("hex");
}
