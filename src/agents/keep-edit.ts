import { need } from "../base/fatal.ts";
import type { FileFailure, Files } from "../base/files.ts";
import type { Result } from "../base/result.ts";
import { EDIT_COPIES_MAX, editCopyPath, worthKeeping } from "../fs-protocol/edit-copies.ts";
import type { Home } from "../fs-protocol/home.ts";

/**
 * Keeps what was found in a file before the file is put back.
 *
 * @param own what the file has to hold; undefined: it is not to be there
 * @returns path of the copy below the home; undefined: there was nothing to keep, or no place for it
 */
export type KeepEdit = (
  path: string,
  found: Uint8Array,
  own: Uint8Array | undefined,
) => string | undefined;

/** Something else lies where the folder, or a copy in it, would be: it is not followed, and not removed. */
const IN_THE_WAY: ReadonlySet<string> = new Set(["ELOOP", "ENOTDIR", "EISDIR", "ENXIO", "EEXIST"]);

type KeptFiles = Pick<Files, "makeDirectory" | "read" | "create" | "replace">;

/**
 * Copies of a session's edits, in `edits/` of its home. A text that is kept already is not kept again, so
 * that whoever was killed after the copy makes no second one, and several processes make the same.
 */
export function editKeeper(files: KeptFiles, home: Home): KeepEdit {
  return (path, found, own) => {
    const bytes = worthKeeping(home, path, { found, own });
    if (bytes === undefined) return undefined;
    if (!isDone(files.makeDirectory(home.edits))) return undefined;
    const copy = keep(files, bytes, (n) => editCopyPath(home, path, n));
    return copy?.slice(home.directory.length + 1);
  };
}

function keep(
  files: KeptFiles,
  bytes: Uint8Array,
  pathOf: (n: number) => string,
): string | undefined {
  for (let n = 1; n <= EDIT_COPIES_MAX; n++) {
    const path = pathOf(n);
    const present = files.read(path);
    if (!present.ok) continue;
    if (present.value !== undefined && Buffer.compare(present.value, bytes) === 0) return path;
    // Somebody else may have been faster: then theirs is looked at like any other.
    if (present.value === undefined && isDone(files.create(path, bytes))) return path;
  }
  const last = pathOf(EDIT_COPIES_MAX);
  return isDone(files.replace(last, bytes)) ? last : undefined;
}

/** A disk that is full, or fails, ends the process before anything is put back over what could not be kept. */
function isDone(result: Result<void, FileFailure>): boolean {
  if (!result.ok && IN_THE_WAY.has(result.failure.errno)) return false;
  need(result);
  return true;
}
