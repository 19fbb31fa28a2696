import { dirname, join } from "node:path";
import type { Clone } from "../../base/ports/repo.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import type { GitContext } from "../command/git-environment.ts";
import { contentPath, hasContent, presentStore } from "./content-store.ts";
import { storeInClone } from "./keep-content.ts";
import type { LfsPointer } from "./pointer.ts";

/** Where the content for a work tree is looked for. */
export interface ContentSources {
  /** The user's own folder of contents. */
  readonly user: string | undefined;
  /** Folders into which engines may have written anything. */
  readonly engines: readonly string[];
  /** The one of the clone, if it is to have what its work tree has. */
  readonly own: string | undefined;
}

/** Finds them; undefined if there can be none, or if the user has no git-lfs. Starts no process. */
export async function contentSources(
  repo: CloneRepo,
  {
    keepsOwn,
    holder,
  }: {
    readonly keepsOwn: boolean;
    readonly holder?: Pick<Clone, "directory"> | undefined;
  },
): Promise<ContentSources | undefined> {
  const { context, hub } = repo;
  const { hasLfs, lfsStorage } = await hub.cloneSettings();
  if (!hasLfs) return undefined;
  const user = presentStore(context, hub.directory, lfsStorage);
  const own = storeInClone(repo);
  const engines = [own, ...(holder ? [join(holder.directory, ".git", "lfs", "objects")] : [])];
  const isPlain = (folder: string) =>
    [dirname(folder), folder].every((path) => context.directories.kindOf(path) === "directory");
  const found = { user, engines: engines.filter(isPlain), own: keepsOwn ? own : undefined };
  return user === undefined && found.engines.length === 0 ? undefined : found;
}

/** The files that may have the content of a pointer, by their sizes; no link leads to one that an engine may have made. */
export function sourcesOf(
  context: Pick<GitContext, "files" | "directories">,
  { user, engines }: ContentSources,
  pointer: LfsPointer,
): readonly string[] {
  const isPlain = (path: string) =>
    [dirname(dirname(path)), dirname(path)].every(
      (folder) => context.directories.kindOf(folder) === "directory",
    );
  const theirs = user === undefined || !hasContent(context, user, pointer) ? [] : [user];
  const own = engines.filter(
    (folder) => hasContent(context, folder, pointer) && isPlain(contentPath(folder, pointer)),
  );
  return [...theirs, ...own].map((folder) => contentPath(folder, pointer));
}
