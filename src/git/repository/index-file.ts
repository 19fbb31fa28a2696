import { createHash } from "node:crypto";
import type { RecordedStat } from "../../base/ports/directories.ts";
import type { FileStat } from "../../base/ports/files.ts";
import type { CommittedFile } from "../../base/ports/repo.ts";

/**
 * Whether no entry of an index is marked to be ignored (`assume-unchanged`, `skip-worktree`). This reads the bytes
 * of the file (gitformat-index), some ten times faster than a process, because it runs before every turn. Returns
 * false for any unusual format too; the caller then asks git.
 */
export function hasNoHiddenEntries(index: Uint8Array): boolean {
  return hasNoEntries(index, () => false);
}

/** Like `hasNoHiddenEntries`, and no entry is a submodule. */
export function hasPlainEntries(index: Uint8Array): boolean {
  return hasNoEntries(index, (mode) => mode === SUBMODULE_MODE);
}

/** Whether no entry is hidden or has an unwanted mode; false for any unusual format too. */
function hasNoEntries(index: Uint8Array, isUnwanted: (mode: number) => boolean): boolean {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.length < HEADER_BYTES + HASH_BYTES) return false;
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  // Version 4 compresses names; version 3 adds a second word of flags, and is used only if it needs one.
  if (bytes.readUInt32BE(4) !== 2) return false;
  const end = endOfEntries(bytes, bytes.readUInt32BE(8), isUnwanted);
  return end !== undefined && hasOptionalExtensions(bytes, end);
}

/** Offsets of the first entry in an index, and of the parts of an entry (versions 2 and 3). */
const HEADER_BYTES = 12;
const INODE_AT = 20;
const MODE_AT = 24;
const SIZE_AT = 36;
const OBJECT_AT = 40;
const FLAGS_AT = 60;
const NAME_AT = 62;
/** The lengths of SHA-1 and SHA-256; where only the first is read, an index with longer hashes fails the parsing. */
const HASH_BYTES = 20;
const LONG_HASH_BYTES = 32;
const ASSUME_VALID = 0x80_00;
/** The mode of a submodule, in git's own words a link to a commit. */
const SUBMODULE_MODE = 0o160_000;
/** Marks an entry with two more bytes of flags. */
const EXTENDED = 0x40_00;
const NAME_LENGTH = 0x0f_ff;
/** Tells the sides of a conflict apart; 0 without one. */
const STAGE = 0x30_00;

/** The offset at which the entries end; `undefined` if one is marked, unwanted or malformed. */
function endOfEntries(
  bytes: Buffer,
  count: number,
  isUnwanted: (mode: number) => boolean,
): number | undefined {
  const last = bytes.length - HASH_BYTES;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    if (at + NAME_AT >= last) return undefined;
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    if ((flags & (ASSUME_VALID | EXTENDED)) !== 0) return undefined;
    if (isUnwanted(bytes.readUInt32BE(at + MODE_AT))) return undefined;
    const nameEnd = bytes.indexOf(0, at + NAME_AT);
    const length = nameEnd - at - NAME_AT;
    if (nameEnd < 0 || Math.min(length, NAME_LENGTH) !== (flags & NAME_LENGTH)) return undefined;
    // One to eight NULs pad the entry to a multiple of eight bytes.
    at += Math.ceil((NAME_AT + length + 1) / 8) * 8;
  }
  return at <= last ? at : undefined;
}

/** An extension named in lower case, such as that of a split index, changes the meaning of the entries. */
function hasOptionalExtensions(bytes: Buffer, start: number): boolean {
  const last = bytes.length - HASH_BYTES;
  let at = start;
  while (at + 8 <= last) {
    if (!/^[A-Z]/u.test(bytes.toString("latin1", at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === last;
}

/**
 * A digest of what an index lists as staged. It excludes file times and sizes, which git updates on every status.
 * An index in another format is hashed as a whole.
 */
export function indexDigest(bytes: Uint8Array): string {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return digestOfEntries(index) ?? createHash("sha256").update(index).digest("hex");
}

/** What an index lists. */
export interface TrackedFiles {
  /** The size of all files together. */
  readonly bytes: number;
}

/** The files that an index lists; `undefined` for an index in another format. */
export function trackedFiles(index: Uint8Array): TrackedFiles | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  let bytes = 0;
  const isRead = visitEntries(view, ({ at }) => {
    bytes += view.readUInt32BE(at + SIZE_AT);
  });
  return isRead ? { bytes } : undefined;
}

/** The paths of an index that are wanted, as bytes with one character each; `undefined` for an index in another format. */
export function pathsInIndex(
  index: Uint8Array,
  isWanted: (path: string) => boolean,
): readonly string[] | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const paths: string[] = [];
  const isRead = visitEntries(view, ({ name, end }) => {
    const path = view.toString("latin1", name, end);
    if (isWanted(path)) paths.push(path);
  });
  return isRead ? paths : undefined;
}

/** A file that an index lists. */
export interface IndexEntry {
  /** As bytes, with one character each. */
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** 0 without a conflict. */
  readonly stage: number;
  /** As it was last recorded; 0 if it was not. */
  readonly sizeBytes: number;
}

/**
 * The entries of an index that are wanted; `undefined` for an index in another format.
 *
 * @param hashBytes the length of the repository's object ids
 */
export function entriesInIndex(
  index: Uint8Array,
  hashBytes: number,
  isWanted: (path: string, sizeBytes: number) => boolean,
): readonly IndexEntry[] | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const entries: IndexEntry[] = [];
  const visit = ({ at, name, end }: { at: number; name: number; end: number }) => {
    const path = view.toString("latin1", name, end);
    const sizeBytes = view.readUInt32BE(at + SIZE_AT);
    if (!isWanted(path, sizeBytes)) return;
    const flagsAt = at + OBJECT_AT + hashBytes;
    entries.push({
      ...{ path, sizeBytes, mode: view.readUInt32BE(at + MODE_AT) },
      oid: view.toString("hex", at + OBJECT_AT, flagsAt),
      stage: (view.readUInt16BE(flagsAt) & STAGE) >> 12,
    });
  };
  return visitEntries(view, visit, hashBytes) ? entries : undefined;
}

const WORD = 0xff_ff_ff_ffn;
const NS_PER_S = 1_000_000_000n;

/** An index that records these states of files, by their paths; `undefined` for an index in another format. */
export function recordingStats(
  index: Uint8Array,
  hashBytes: number,
  stats: ReadonlyMap<string, RecordedStat>,
): Uint8Array | undefined {
  const bytes = Buffer.from(index);
  const isRead = visitEntries(
    bytes,
    ({ at, name, end }) => {
      const stat = stats.get(bytes.toString("latin1", name, end));
      if (stat === undefined) return;
      const { changedNs, modifiedNs, device, inode, user, group, sizeBytes } = stat;
      const times = [changedNs, modifiedNs].flatMap((ns) => [ns / NS_PER_S, ns % NS_PER_S]);
      for (const [place, value] of [...times, device, inode].entries()) {
        bytes.writeUInt32BE(Number(value & WORD), at + 4 * place);
      }
      for (const [place, value] of [user, group, sizeBytes].entries()) {
        bytes.writeUInt32BE(Number(value & WORD), at + MODE_AT + 4 + 4 * place);
      }
    },
    hashBytes,
  );
  if (!isRead) return undefined;
  sumUp(bytes, hashBytes);
  return bytes;
}

/** Writes the sum at the end of an index that was changed. */
export function sumUp(index: Buffer, hashBytes: number): void {
  const end = index.length - hashBytes;
  // Where git is told to leave it out, there are zeros.
  if (index.subarray(end).every((byte) => byte === 0)) return;
  const hash = createHash(hashBytes === HASH_BYTES ? "sha1" : "sha256");
  hash.update(index.subarray(0, end)).digest().copy(index, end);
}

/** Whether a file is the one that an index recorded, and was not changed in any way since; false if that is not known. */
export function isAsRecorded(
  index: Uint8Array,
  path: string,
  { inode, changedMs }: Pick<FileStat, "inode" | "changedMs">,
): boolean {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  let isSame = false;
  visitEntries(view, ({ at, name, end }) => {
    if (view.toString("latin1", name, end) !== path) return;
    const recordedMs = view.readUInt32BE(at) * 1_000 + Math.floor(view.readUInt32BE(at + 4) / 1e6);
    const isOne = view.readUInt32BE(at + INODE_AT) === Number(BigInt(inode) & 0xff_ff_ff_ffn);
    isSame = isOne && changedMs !== undefined && recordedMs === Math.floor(changedMs);
  });
  return isSame;
}

function digestOfEntries(index: Buffer): string | undefined {
  const hash = createHash("sha256");
  const isRead = visitEntries(index, ({ at, end }) => {
    hash.update(index.subarray(at + MODE_AT, at + MODE_AT + 4));
    hash.update(index.subarray(at + OBJECT_AT, end + 1));
  });
  return isRead ? hash.digest("hex") : undefined;
}

/** How many entries are looked at to tell which ids an index has. */
const TELLING_ENTRIES_MAX = 8;

/** The length of the ids in an index: by it, the first names are as long as the entries say that they are. */
function hashBytesOf(index: Buffer): number {
  let at = HEADER_BYTES;
  const count = index.length < HEADER_BYTES ? 0 : index.readUInt32BE(8);
  for (let entry = 0; entry < Math.min(count, TELLING_ENTRIES_MAX); entry++) {
    const flagsAt = at + OBJECT_AT + HASH_BYTES;
    if (flagsAt + 2 >= index.length) return LONG_HASH_BYTES;
    const flags = index.readUInt16BE(flagsAt);
    const name = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    const end = index.indexOf(0, name);
    const isSo = Math.min(end - name, NAME_LENGTH) === (flags & NAME_LENGTH);
    if (end < 0 || !isSo) return LONG_HASH_BYTES;
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return HASH_BYTES;
}

/** An entry of an index: where it, its name and what follows begin. */
export interface IndexPlace {
  readonly at: number;
  readonly name: number;
  readonly end: number;
}

/**
 * Calls `visit` with the start of each entry and both ends of its name; returns false if it cannot read them.
 *
 * @param hashBytes the length of the ids; absent: it is told from the entries
 */
export function visitEntries(
  index: Buffer,
  visit: (entry: IndexPlace) => void,
  hashBytes = hashBytesOf(index),
): boolean {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return false;
  let at = HEADER_BYTES;
  for (let remaining = index.readUInt32BE(8); remaining > 0; remaining--) {
    const flagsAt = at + OBJECT_AT + hashBytes;
    if (flagsAt + 2 >= index.length) return false;
    const isExtended = version === 3 && (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    const path = flagsAt + (isExtended ? 4 : 2);
    const end = index.indexOf(0, path);
    if (end < 0) return false;
    visit({ at, name: path, end });
    // At least one byte pads each entry to a multiple of eight.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return true;
}

/** Whether an index lists exactly these files of a commit, and none that is marked or in conflict. */
export function listsExactly(index: Uint8Array, committed: readonly CommittedFile[]): boolean {
  if (!hasPlainEntries(index)) return false;
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.readUInt32BE(8) !== committed.length) return false;
  let at = HEADER_BYTES;
  return committed.every(({ path, mode, oid }) => {
    const end = bytes.indexOf(0, at + NAME_AT);
    const [start, flags] = [at, bytes.readUInt16BE(at + FLAGS_AT)];
    // At least one byte pads each entry to a multiple of eight.
    at += Math.ceil((end + 1 - at) / 8) * 8;
    return (
      (flags & STAGE) === 0 &&
      bytes.readUInt32BE(start + MODE_AT) === Number.parseInt(mode, 8) &&
      bytes.toString("hex", start + OBJECT_AT, start + FLAGS_AT) === oid &&
      bytes.toString("utf8", start + NAME_AT, end) === path
    );
  });
}
