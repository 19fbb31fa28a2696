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

const HEADER_BYTES = 12;
/** SHA-1, in the entries and at the end: an index of longer hashes does not come out even. */
const HASH_BYTES = 20;
const FLAGS_AT = 60;
const NAME_AT = 62;
const ASSUME_VALID = 0x80_00;
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
