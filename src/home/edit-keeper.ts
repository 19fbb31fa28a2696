import { need } from "../base/fatal.ts";
import type { FileFailure, Files, FileStat } from "../base/ports/files.ts";
import type { Result } from "../base/result.ts";
import {
  bytesToCopy,
  EDIT_BYTES_MAX,
  EDIT_COPIES_MAX,
  editCopyPath,
  isWorthKeeping,
  hasNothingNew,
} from "../fs-protocol/home/edit-copies.ts";
import type { Home } from "../fs-protocol/home/home.ts";

/** Keeps what other programs or people wrote into the files of a home, before wisp overwrites it. */
export interface EditKeeper {
  /**
   * Keeps the content of a file that is about to be replaced.
   *
   * @param own the content that the file should have; undefined if it should not exist
   * @returns path of the copy, relative to the home; undefined if the file holds no foreign text, or it cannot be kept
   */
  readonly keep: (path: string, own: Uint8Array | undefined) => string | undefined;
  /** Restores a file, or removes it if it should not exist, after keeping its content. Returns the same as `keep`. */
  readonly restore: (path: string, own: Uint8Array | undefined) => string | undefined;
}

/** Errors after which a file is copied because it cannot be linked: other disk, no hard links, other owner. */
const NO_LINK: ReadonlySet<string> = new Set([
  ...["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"],
]);
/** Errors when something other than the file, the folder or a copy is at its path: never followed, never removed. */
const IN_THE_WAY: ReadonlySet<string> = new Set(["ELOOP", "ENOTDIR", "EISDIR", "ENXIO", "EEXIST"]);
/** Errors in a race: a copy of that name exists by now, or the file is gone. */
const OVERTAKEN: ReadonlySet<string> = new Set(["EEXIST", "ENOENT"]);
/** How often linking is tried while another program keeps replacing the file. */
const LINKS_MAX = 8;

type KeptFiles = Pick<
  Files,
  "makeDirectory" | "read" | "stat" | "create" | "link" | "replace" | "remove"
>;

/**
 * Keeps the edits of a session in `edits/` of its home. A copy is a hard link to the file that was found, so a program
 * that has the file open and goes on writing writes into the copy. If the role is killed after linking, it later finds
 * the file under both names and makes no second copy.
 */
export function editKeeper(files: KeptFiles, home: Home): EditKeeper {
  const nameOf = (path: string, copy: string | undefined, own: Uint8Array | undefined) => {
    if (copy === undefined) return undefined;
    const hasEdit = holdsAnEdit(files, { home, path, copy, own });
    return hasEdit ? copy.slice(home.directory.length + 1) : undefined;
  };
  return {
    keep: (path, own) => nameOf(path, keepFound(files, home, path, own), own),
    restore(path, own) {
      const result: { copy?: string | undefined } = {};
      const keep = () => {
        result.copy = keepFound(files, home, path, own);
      };
      if (own === undefined) {
        keep();
        need(files.remove(path));
      } else {
        need(files.replace(path, own, keep));
      }
      // Checked only now: a program may have finished writing since the file was found.
      return nameOf(path, result.copy, own);
    },
  };
}

/** Path of the copy, whatever its content; undefined if none was made. */
function keepFound(
  files: KeptFiles,
  home: Home,
  path: string,
  own: Uint8Array | undefined,
): string | undefined {
  const slots = Array.from({ length: EDIT_COPIES_MAX }, (_, n) => editCopyPath(home, path, n + 1));
  let copy: string | undefined;
  // Checks again after each link: the linked file is the current one only if no program replaced it meanwhile.
  for (let links = 0; links < LINKS_MAX; links++) {
    const found = files.stat(path);
    if (found === undefined) return copy;
    const same = slots.find((slot) => isSameFile(files.stat(slot), found));
    if (same !== undefined) return same;
    const bytes = textOf(files, path);
    if (bytes !== undefined && hasNothingNew(home, path, { found: bytes, own })) return copy;
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

interface FileToKeep {
  readonly home: Home;
  readonly path: string;
  /** The content that the file should have. */
  readonly own: Uint8Array | undefined;
}

/**
 * Frees a name for the next copy and returns it. In order of preference: the name of a copy with the same text or
 * without any foreign text, an unused name, the name of the oldest empty copy (a program may still be about to write
 * into it), and the last name.
 */
function freeSlot(
  files: KeptFiles,
  slots: readonly string[],
  { home, path, own, bytes }: FileToKeep & { readonly bytes: Uint8Array | undefined },
): string | undefined {
  const stats = new Map(slots.map((slot) => [slot, files.stat(slot)]));
  const isDispensable = (slot: string): boolean => {
    const copy = (stats.get(slot)?.sizeBytes ?? 0) > 0 ? textOf(files, slot) : undefined;
    if (copy === undefined) return false;
    const isSame = bytes !== undefined && Buffer.compare(copy, bytes) === 0;
    return isSame || !isWorthKeeping(home, path, { found: copy, own });
  };
  const dispensable = slots.find(isDispensable);
  const free = slots.find((slot) => stats.get(slot) === undefined);
  if (dispensable === undefined && free !== undefined) return free;
  const slot = dispensable ?? oldestEmpty(slots, stats) ?? slots.at(-1);
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

/** Copies what is in the file now, if it cannot be linked. Copies the same content only once. */
function copied(
  files: KeptFiles,
  slots: readonly string[],
  { home, path, own }: FileToKeep,
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

/** A longer file that cannot be linked is not copied. */
const LINKLESS_BYTES_MAX = 256 * 1024 * 1024;

function holdsAnEdit(
  files: KeptFiles,
  { home, path, copy, own }: FileToKeep & { readonly copy: string },
): boolean {
  const bytes = textOf(files, copy);
  // A copy that is too long or unreadable counts as an edit.
  return bytes === undefined || isWorthKeeping(home, path, { found: bytes, own });
}

/** The content of a file; undefined if the file is missing, too long to compare, or unreadable. */
function textOf(files: KeptFiles, path: string): Uint8Array | undefined {
  const read = files.read(path, EDIT_BYTES_MAX);
  return read.ok ? read.value : undefined;
}

/** Whether both are the same file. Linking changes a file's time, so both names report the same one. */
function isSameFile(one: FileStat | undefined, other: FileStat): boolean {
  const isSame = one?.inode === other.inode && one.sizeBytes === other.sizeBytes;
  return isSame && one.changedMs === other.changedMs;
}

/** Whether it worked. A full or failing disk ends the process, so that nothing overwrites what could not be kept. */
function isDone(result: Result<void, FileFailure>): boolean {
  if (!result.ok && IN_THE_WAY.has(result.failure.errno)) return false;
  need(result);
  return true;
}
