import { join } from "node:path";
import { STORE_FILES_MAX } from "../../base/limits.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";

type Context = Pick<GitContext, "files" | "directories">;

/** Whether a folder of objects has this name: the first two digits of theirs. */
export function isLooseFolder(name: string): boolean {
  return /^[0-9a-f]{2}$/u.test(name);
}

/** Packs and what they need to be read; what only speeds up or keeps something is left out. */
const PACKED = /^pack-[0-9a-f]+\.(?:pack|idx|rev)$/u;
const LOOSE = /^[0-9a-f]{38,}$/u;

/** Which files of objects are copied, and where to. */
export interface ObjectCopy {
  readonly from: string;
  readonly to: string;
  /** Whether a file is good, by its path below `from`. */
  readonly isGood: (path: string) => boolean;
}

/**
 * Copies the files of objects that `to` lacks. Files, never links to them: who can write into one
 * folder must not reach the other. Fails with errno `ENOENT` if a file disappeared meanwhile.
 */
export async function copyObjects(
  { files, directories }: Context,
  { from, to, isGood }: ObjectCopy,
): Promise<Result<void, FileFailure>> {
  const listed = directories.entries(from);
  if (!listed.ok) return listed;
  const folders = listed.value.filter(({ name }) => isLooseFolder(name)).map(({ name }) => name);
  // Packs last: git removes the file of an object only when a pack with it is there.
  for (const folder of [...folders, "pack"]) {
    const wanted = folder === "pack" ? PACKED : LOOSE;
    const entries = directories.entries(join(from, folder));
    if (!entries.ok) return entries;
    const made = files.makeDirectory(join(to, folder));
    if (!made.ok) return made;
    const missing = entries.value.filter(
      ({ name, kind }) =>
        kind === "file" &&
        wanted.test(name) &&
        isGood(`${folder}/${name}`) &&
        directories.kindOf(join(to, folder, name)) === undefined,
    );
    const copied = await copyEach(
      directories,
      missing.map(({ name }) => [join(from, folder, name), join(to, folder, name)]),
    );
    if (!copied.ok) return copied;
  }
  return ok(undefined);
}

async function copyEach(
  directories: Context["directories"],
  paths: readonly (readonly [from: string, to: string])[],
): Promise<Result<void, FileFailure>> {
  for (let start = 0; start < paths.length; start += STORE_FILES_MAX) {
    const some = paths.slice(start, start + STORE_FILES_MAX);
    const copied = await Promise.all(some.map(([from, to]) => directories.copyFile(from, to)));
    const failed = copied.find((one) => !one.ok);
    if (failed?.ok === false) return fail(failed.failure);
  }
  return ok(undefined);
}
