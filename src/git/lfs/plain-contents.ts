import { join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitContext } from "../command/git-environment.ts";
import { ok, type Result } from "../../base/result.ts";

const BYTE_NAME = /^[0-9a-f]{2}$/u;

/**
 * Removes from where git-lfs stores content in a clone what is no regular file, such as a link: git-lfs would compare
 * the content with what is behind it, fail, and leave the whole content to git. The folders above are looked at before
 * each command (`restoreClone`); these may be many, and matter only to what is staged.
 */
export function keepPlainContents(
  { directories }: Pick<GitContext, "directories">,
  clone: string,
): Result<void, FileFailure> {
  const store = join(clone, ".git", "lfs", "objects");
  const below = (folder: string) => {
    const isFolder = directories.kindOf(folder) === "directory";
    const listed = isFolder ? directories.entries(folder) : ok([]);
    return listed.ok
      ? listed.value.map((entry) => ({ ...entry, path: join(folder, entry.name) }))
      : [];
  };
  const folders = (folder: string) =>
    below(folder).flatMap(({ name, path }) => (BYTE_NAME.test(name) ? [path] : []));
  const contents = folders(store).flatMap(folders).flatMap(below);
  for (const { path } of contents.filter(({ kind }) => kind !== "file")) {
    const removed = directories.removeTree(path);
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}
