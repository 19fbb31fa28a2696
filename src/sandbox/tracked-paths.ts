const SIGNATURE = "DIRC";
/** Times, device, inode, mode, owner and size come before the name of the object. */
const FACTS_BYTES = 40;
const FLAGS_BYTES = 2;
const EXTENDED = 0x4000;

/**
 * Paths in an index of git, in its versions 2 to 4 (gitformat-index). Undefined: it cannot be read.
 *
 * @param hashBytes of an object's name: 20, or 32 for SHA-256
 */
export function trackedPaths(index: Buffer, hashBytes: number): ReadonlySet<string> | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== SIGNATURE) return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const paths = new Set<string>();
  let at = 12;
  let before = Buffer.alloc(0);
  for (let number = 0; number < count; number++) {
    const entry = readEntry(index, at, { version, hashBytes, before });
    if (entry === undefined) return undefined;
    paths.add(entry.path.toString("utf8"));
    ({ next: at, path: before } = entry);
  }
  return paths;
}

interface Reading {
  readonly version: number;
  readonly hashBytes: number;
  /** The path of the entry before: version 4 says only what differs. */
  readonly before: Buffer;
}

function readEntry(
  index: Buffer,
  start: number,
  { version, hashBytes, before }: Reading,
): { readonly path: Buffer<ArrayBuffer>; readonly next: number } | undefined {
  const flagsAt = start + FACTS_BYTES + hashBytes;
  if (flagsAt + FLAGS_BYTES > index.length) return undefined;
  const isExtended = (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
  const nameAt = flagsAt + FLAGS_BYTES * (isExtended ? 2 : 1);
  const cut = version === 4 ? readOffset(index, nameAt) : { value: before.length, next: nameAt };
  const end = index.indexOf(0, cut.next);
  if (end === -1 || cut.value > before.length) return undefined;
  const kept = before.subarray(0, before.length - cut.value);
  const path = Buffer.concat([kept, index.subarray(cut.next, end)]);
  // Entries of the older versions are padded with 1 to 8 NULs, to a multiple of 8.
  const length = end - start;
  return { path, next: version === 4 ? end + 1 : start + (length + 8 - (length % 8)) };
}

/** A number in groups of 7 bits, as in an offset of a pack. */
function readOffset(
  bytes: Buffer,
  start: number,
): { readonly value: number; readonly next: number } {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
