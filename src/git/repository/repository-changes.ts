import type { RepositoryView } from "./repository-look.ts";

/** What differs between two looks at a repository. */
export interface RepositoryChange {
  /** Full name of a reference, or a path below the git directory. */
  readonly place: string;
  readonly how: "added" | "changed" | "removed";
  /** Of references: what they said before, and say now. */
  readonly was?: string | undefined;
  readonly now?: string | undefined;
}

/** All that differs, references first, each kind by name; `isLeftOut`: references that do not count. */
export function repositoryChanges(
  before: RepositoryView,
  after: RepositoryView,
  isLeftOut: (ref: string) => boolean,
): readonly RepositoryChange[] {
  const refs = changesOf(before.refs, after.refs).filter(({ place }) => !isLeftOut(place));
  const files = changesOf(before.files, after.files);
  // A digest tells a person nothing.
  return [...refs, ...files.map(({ place, how }) => ({ place, how }))];
}

function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly RepositoryChange[] {
  const gone = [...before.keys()].filter((place) => !after.has(place));
  const changed = [...after].flatMap(([place, now]): readonly RepositoryChange[] => {
    const was = before.get(place);
    if (was === now) return [];
    return [{ place, how: was === undefined ? "added" : "changed", was, now }];
  });
  const removed = gone.map((place) => ({ place, how: "removed" as const, was: before.get(place) }));
  return [...changed, ...removed].sort((one, other) => (one.place < other.place ? -1 : 1));
}
