import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { userGit } from "../command/git.ts";
import { contentPath, contentStore, hasContent } from "./content-store.ts";
import { listPointers } from "./new-pointers.ts";
import type { LfsPointer } from "./pointer.ts";

/** Content under Git LFS that a repository of the user's has, and the absolute path of the file with it. */
export interface HeldContent extends LfsPointer {
  readonly path: string;
}

/**
 * The content that pointers in some commits name and that the store of a user's repository has, each once. Starts one
 * process if there is no store.
 *
 * @param revisions words of `git rev-list` that select the commits
 */
export async function heldContent(
  context: Pick<GitContext, "environment" | "files" | "directories">,
  directory: string,
  revisions: readonly string[],
): Promise<Result<readonly HeldContent[], GitFailure>> {
  const store = await contentStore(context, directory);
  if (!store.ok) return store;
  if (context.directories.realPath(store.value) === undefined) return ok([]);
  const pointers = await listPointers(userGit(context, directory), revisions);
  if (!pointers.ok) return pointers;
  const held = pointers.value
    .filter((pointer) => pointer.sizeBytes > 0 && hasContent(context, store.value, pointer))
    .map(({ sha256, sizeBytes }) => ({
      sha256,
      sizeBytes,
      path: contentPath(store.value, { sha256 }),
    }));
  return ok([...new Map(held.map((content) => [content.sha256, content])).values()]);
}
