import { basename, join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { contentPath, contentStore } from "./content-store.ts";
import { storeInClone } from "./keep-content.ts";

/** Whether a clone's own store has content under Git LFS that the user's repository lacks. Starts no process if it is empty. */
export async function hasOwnContent(repo: CloneRepo): Promise<Result<boolean, GitFailure>> {
  const { context, hub } = repo;
  const { directories, files } = context;
  const below = (folder: string) => {
    const listed =
      directories.kindOf(folder) === "directory" ? directories.entries(folder) : ok([]);
    return listed.ok ? listed.value.map(({ name }) => join(folder, name)) : [];
  };
  const contents = below(storeInClone(repo)).flatMap(below).flatMap(below);
  if (contents.length === 0) return ok(false);
  const store = await contentStore(context, hub.directory);
  if (!store.ok) return store;
  const isThere = (path: string) =>
    files.stat(contentPath(store.value, { sha256: basename(path) })) !== undefined;
  return ok(!contents.every(isThere));
}
