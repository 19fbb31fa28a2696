import type { GitContext } from "../command/git-environment.ts";
import { hasContent, presentStore } from "./content-store.ts";
import { exactPointerIn } from "./pointer.ts";
import { withinLimit } from "./within-limit.ts";

/** Files of a commit that are pointers in clones and verify trees, too. */
export interface StayingPointers {
  /** Their content is not in the user's repository, or cannot be put in their place. */
  readonly lacking: readonly string[];
  /** They are beyond the limit of what a work tree gets. */
  readonly over: readonly string[];
}

/** A file of a commit that is a pointer. */
export interface CommittedPointer {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Whether the user has git-lfs, and where it keeps content. */
export interface LfsOfUser {
  readonly hasLfs: boolean;
  readonly lfsStorage: string | undefined;
}

/** Which of the pointers of a commit, in the order of their paths, no work tree gets the content of. */
export function stayingPointers(
  context: Pick<GitContext, "files" | "directories">,
  { hub, lfs }: { readonly hub: string; readonly lfs: LfsOfUser },
  found: readonly CommittedPointer[],
): StayingPointers {
  const store = lfs.hasLfs ? presentStore(context, hub, lfs.lfsStorage) : undefined;
  const there = found.flatMap(({ path, bytes }) => {
    const pointer = exactPointerIn(bytes);
    if (store === undefined || pointer === undefined) return [];
    return hasContent(context, store, pointer) ? [{ ...pointer, path }] : [];
  });
  const known = new Set(there.map(({ path }) => path));
  const { over } = withinLimit(there);
  return {
    lacking: found.map(({ path }) => path).filter((path) => !known.has(path)),
    over: over.map(({ path }) => path),
  };
}
