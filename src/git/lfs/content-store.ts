import { isAbsolute, join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type GitDirectory, locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { userGit } from "../command/git.ts";
import type { LfsPointer } from "./pointer.ts";

/**
 * The folder in which git-lfs keeps the content of files in the user's repository, which all of its work trees share:
 * `lfs/objects` in its git directory, unless `lfs.storage` of the user's settings names another place.
 */
export async function contentStore(
  context: Pick<GitContext, "files" | "environment">,
  hub: string,
): Promise<Result<string, GitFailure>> {
  const located = locateGitDirectory(context.files, hub);
  if (located === undefined) {
    return fail(gitFailure("lfs", hub, "its git directory is not found"));
  }
  const set = await userGit(context, hub).ask(["config", "--get", "lfs.storage"]);
  return ok(storeBelow(located, set?.replace(/\n$/u, "")));
}

/** The same folder, for a known `lfs.storage`; undefined if there is none yet. */
export function presentStore(
  { files, directories }: Pick<GitContext, "files" | "directories">,
  hub: string,
  storage: string | undefined,
): string | undefined {
  const located = locateGitDirectory(files, hub);
  const store = located && storeBelow(located, storage);
  return store !== undefined && directories.realPath(store) !== undefined ? store : undefined;
}

function storeBelow({ commonDirectory }: GitDirectory, storage: string | undefined): string {
  const set = storage || "lfs";
  return join(isAbsolute(set) ? set : join(commonDirectory, set), "objects");
}

/** Where the content of a pointer is below a folder of such contents. */
export function contentPath(store: string, { sha256 }: Pick<LfsPointer, "sha256">): string {
  return join(store, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

/** Whether the user's store has the content: only git-lfs and wisp write there, and both hash it first. */
export function hasContent(
  { files }: Pick<GitContext, "files">,
  store: string,
  pointer: LfsPointer,
): boolean {
  // git-lfs stores nothing for an empty file.
  if (pointer.sizeBytes === 0) return true;
  return files.stat(contentPath(store, pointer))?.sizeBytes === pointer.sizeBytes;
}
