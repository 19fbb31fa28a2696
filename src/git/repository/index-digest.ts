import { createHash } from "node:crypto";

/** Where an entry of the index (versions 2 and 3) has its mode, its object with its flags, and its path. */
const MODE_AT = 24;
const OBJECT_AT = 40;
const FLAGS_AT = 60;
const PATH_AT = 62;
const HEADER_BYTES = 12;
/** In the flags: two more bytes follow. */
const IS_EXTENDED = 0x4000;

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
    if (at + PATH_AT >= index.length) return undefined;
    const flags = index.readUInt16BE(at + FLAGS_AT);
    const isExtended = version === 3 && (flags & IS_EXTENDED) !== 0;
    const path = at + PATH_AT + (isExtended ? 2 : 0);
    const end = index.indexOf(0, path);
    if (end < 0) return undefined;
    hash.update(index.subarray(at + MODE_AT, at + MODE_AT + 4));
    hash.update(index.subarray(at + OBJECT_AT, end + 1));
    // Entries are padded to eight bytes, with one byte of padding at least.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return hash.digest("hex");
}
