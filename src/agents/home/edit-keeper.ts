import { need } from "../../base/fatal.ts";
import type { FileFailure, Files, FileStat } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import {
  bytesToCopy,
  EDIT_BYTES_MAX,
  EDIT_COPIES_MAX,
  editCopyPath,
  isWorthKeeping,
  saysNothingNew,
} from "../../fs-protocol/home/edit-copies.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** Keeps what others wrote into the files of a home. */
export interface EditKeeper {
  /**
   * Keeps what is in a file that is about to be replaced.
   *
   * @param own what the file has to hold; undefined: it is not to be there
   * @returns path of the copy below the home; undefined: nothing of others is in it now, or there is no place for it
   */
  readonly keep: (path: string, own: Uint8Array | undefined) => string | undefined;
  /** Puts a file back, or removes it where there is to be none; what was in it is kept. Returns the same. */
  readonly restore: (path: string, own: Uint8Array | undefined) => string | undefined;
}

/** What does not link is copied: another disk, a file system without links, a file of somebody else's. */
const NO_LINK: ReadonlySet<string> = new Set([
  ...["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"],
]);
/** Something else lies where the file, the folder, or a copy in it, would be: it is not followed, and not removed. */
const IN_THE_WAY: ReadonlySet<string> = new Set(["ELOOP", "ENOTDIR", "EISDIR", "ENXIO", "EEXIST"]);
/** Somebody was faster: there is a copy of that name by now, or no such file any more. */
const OVERTAKEN: ReadonlySet<string> = new Set(["EEXIST", "ENOENT"]);
/** How often a file is linked again because somebody put another one in its place meanwhile. */
const LINKS_MAX = 8;

type KeptFiles = Pick<
  Files,
  "makeDirectory" | "read" | "stat" | "create" | "link" | "replace" | "remove"
>;

/**
 * Copies of a session's edits, in `edits/` of its home. The copy is the very file that was found, under another
 * name: whoever has it open, and goes on writing, writes into the copy. A role that was killed after that finds the
 * file under both names, and makes no second copy.
 */
export function editKeeper(files: KeptFiles, home: Home): EditKeeper {
  const nameOf = (path: string, copy: string | undefined, own: Uint8Array | undefined) => {
    if (copy === undefined) return undefined;
    const isNamed = holdsAnEdit(files, { home, path, copy, own });
    return isNamed ? copy.slice(home.directory.length + 1) : undefined;
  };
  return {
    keep: (path, own) => nameOf(path, keepFound(files, home, path, own), own),
    restore(path, own) {
      const kept: { copy?: string | undefined } = {};
      const keep = () => {
        kept.copy = keepFound(files, home, path, own);
      };
      if (own === undefined) {
        keep();
        need(files.remove(path));
      } else {
        need(files.replace(path, own, keep));
      }
      // By now there may be in it what was about to be written when it was found.
      return nameOf(path, kept.copy, own);
    },
  };
}

/** Path of the copy, whatever is in it; undefined: none was made. */
function keepFound(
  files: KeptFiles,
  home: Home,
  path: string,
  own: Uint8Array | undefined,
): string | undefined {
  const slots = Array.from({ length: EDIT_COPIES_MAX }, (_, n) => editCopyPath(home, path, n + 1));
  let copy: string | undefined;
  // Once more after each link: what was linked is what is there only if nobody has replaced it meanwhile.
  for (let links = 0; links < LINKS_MAX; links++) {
    const found = files.stat(path);
    if (found === undefined) return copy;
    const same = slots.find((slot) => isSameFile(files.stat(slot), found));
    if (same !== undefined) return same;
    const bytes = textOf(files, path);
    if (bytes !== undefined && saysNothingNew(home, path, { found: bytes, own })) return copy;
    if (!isDone(files.makeDirectory(home.edits))) return undefined;
    const slot = freeSlot(files, slots, { home, path, bytes, own });
    const linked = slot === undefined ? undefined : files.link(path, slot);
    if (linked === undefined) return undefined;
    if (linked.ok) copy = slot;
    else if (NO_LINK.has(linked.failure.errno)) return copied(files, slots, { home, path, own });
    else if (!OVERTAKEN.has(linked.failure.errno) && !isDone(linked)) return undefined;
  }
  return copy;
}

interface Found {
  readonly home: Home;
  readonly path: string;
  readonly own: Uint8Array | undefined;
}

/**
 * A name for the copy at which nothing is any more: of a copy with the same text, of one in which nothing is
 * that wisp did not write, or a free one. Where there are none: that of the empty one that was made longest ago,
 * whose program may still be about to write, and at last the highest.
 */
function freeSlot(
  files: KeptFiles,
  slots: readonly string[],
  { home, path, own, bytes }: Found & { readonly bytes: Uint8Array | undefined },
): string | undefined {
  const stats = new Map(slots.map((slot) => [slot, files.stat(slot)]));
  const isReplaced = (slot: string): boolean => {
    const copy = (stats.get(slot)?.sizeBytes ?? 0) > 0 ? textOf(files, slot) : undefined;
    if (copy === undefined) return false;
    const isSame = bytes !== undefined && Buffer.compare(copy, bytes) === 0;
    return isSame || !isWorthKeeping(home, path, { found: copy, own });
  };
  const replaced = slots.find(isReplaced);
  const free = slots.find((slot) => stats.get(slot) === undefined);
  if (replaced === undefined && free !== undefined) return free;
  const slot = replaced ?? oldestEmpty(slots, stats) ?? slots.at(-1);
  return slot !== undefined && isDone(files.remove(slot)) ? slot : undefined;
}

function oldestEmpty(
  slots: readonly string[],
  stats: ReadonlyMap<string, FileStat | undefined>,
): string | undefined {
  const changed = (slot: string) => stats.get(slot)?.changedMs ?? 0;
  const empty = slots.filter((slot) => stats.get(slot)?.sizeBytes === 0);
  return empty.sort((one, other) => changed(one) - changed(other)).at(0);
}

/** Where nothing can be linked: what is in the file now, once. */
function copied(
  files: KeptFiles,
  slots: readonly string[],
  { home, path, own }: Found,
): string | undefined {
  const read = files.read(path, LINKLESS_BYTES_MAX);
  const found = read.ok ? read.value : undefined;
  if (found === undefined || !isWorthKeeping(home, path, { found, own })) return undefined;
  const bytes = bytesToCopy(found, own);
  for (const slot of slots) {
    const present = files.read(slot, EDIT_BYTES_MAX);
    if (!present.ok) continue;
    if (present.value !== undefined && Buffer.compare(present.value, bytes) === 0) return slot;
    if (present.value !== undefined) continue;
    const created = files.create(slot, bytes);
    if (created.ok) return slot;
    if (!OVERTAKEN.has(created.failure.errno) && !isDone(created)) return undefined;
  }
  const last = slots.at(-1);
  return last !== undefined && isDone(files.replace(last, bytes)) ? last : undefined;
}

/** Bytes of a file that is copied because it cannot be linked. */
const LINKLESS_BYTES_MAX = 256 * 1024 * 1024;

function holdsAnEdit(
  files: KeptFiles,
  { home, path, copy, own }: Found & { readonly copy: string },
): boolean {
  const bytes = textOf(files, copy);
  // A longer one, or one that cannot be read, is not looked into.
  return bytes === undefined || isWorthKeeping(home, path, { found: bytes, own });
}

/** What a file holds; undefined: nothing is there, or it is too long to be compared, or cannot be read. */
function textOf(files: KeptFiles, path: string): Uint8Array | undefined {
  const read = files.read(path, EDIT_BYTES_MAX);
  return read.ok ? read.value : undefined;
}

/** A link changes the time of its file, so that both names of it say the same. */
function isSameFile(one: FileStat | undefined, other: FileStat): boolean {
  const isSame = one?.inode === other.inode && one.sizeBytes === other.sizeBytes;
  return isSame && one.changedMs === other.changedMs;
}

/** A disk that is full, or fails, ends the process before anything is put back over what could not be kept. */
function isDone(result: Result<void, FileFailure>): boolean {
  if (!result.ok && IN_THE_WAY.has(result.failure.errno)) return false;
  need(result);
  return true;
}
