import { dirname, join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { contentPath, contentStore, hasContent } from "./content-store.ts";
import { type PointerRange, type FoundPointer, newPointers } from "./new-pointers.ts";
import { countIn } from "./session-sum.ts";

/** What became of the content of a range's new files under Git LFS. */
export interface KeptContent {
  /** Neither in the user's repository nor, whole, in the clone. */
  readonly missing: readonly FoundPointer[];
  /** In the clone only: one session may not bring that much. */
  readonly over: readonly FoundPointer[];
}

const NOTHING: KeptContent = { missing: [], over: [] };

/**
 * Copies the content that a range's new pointers name from the clone into the store of the user's repository: without
 * it they would point to nothing once the clone is gone. Each is hashed, and appears whole or not at all, so this can be
 * interrupted and repeated. An engine may have made anything of the clone's own store.
 */
export async function keepContent(
  repo: CloneRepo,
  range: PointerRange,
): Promise<Result<KeptContent, GitFailure>> {
  const found = await newPointers(repo, range);
  if (!found.ok) return found;
  return found.value.length === 0 ? ok(NOTHING) : keepAll(repo, found.value);
}

async function keepAll(
  repo: CloneRepo,
  pointers: readonly FoundPointer[],
): Promise<Result<KeptContent, GitFailure>> {
  const { context, hub } = repo;
  const store = await contentStore(context, hub.directory);
  if (!store.ok) return store;
  const lacking = pointers.filter((pointer) => !hasContent(context, store.value, pointer));
  const here = lacking.filter((pointer) => isInClone(repo, pointer));
  const missing = lacking.filter((pointer) => !here.includes(pointer));
  if (here.length === 0) return ok({ missing, over: [] });
  const counted = countIn(repo, here);
  if (!counted.ok) return fail(fileAsGitFailure("lfs", counted.failure));
  if (!counted.value) return ok({ missing, over: here });
  const bent: FoundPointer[] = [];
  for (const pointer of here) {
    const from = contentPath(storeInClone(repo), pointer);
    const to = contentPath(store.value, pointer);
    const copied = await context.directories.copyExactly(from, to, pointer);
    if (!copied.ok) return fail(fileAsGitFailure("lfs", copied.failure));
    if (!copied.value) bent.push(pointer);
  }
  return ok({ missing: [...missing, ...bent], over: [] });
}

/** Where git-lfs keeps what is added in the clone. */
export function storeInClone({ location }: CloneRepo): string {
  return join(location.gitDirectory, "lfs", "objects");
}

/** Whether the clone has a regular file of this size there, below folders that are no links. */
function isInClone(repo: CloneRepo, pointer: FoundPointer): boolean {
  const { directories, files } = repo.context;
  const store = storeInClone(repo);
  const path = contentPath(store, pointer);
  const folders = [dirname(store), store, dirname(dirname(path)), dirname(path)];
  if (!folders.every((folder) => directories.kindOf(folder) === "directory")) return false;
  return directories.kindOf(path) === "file" && files.stat(path)?.sizeBytes === pointer.sizeBytes;
}
