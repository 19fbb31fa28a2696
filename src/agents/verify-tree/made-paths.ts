import { basename, join } from "node:path";
import type { Directories } from "../../base/ports/directories.ts";
import { TREE_MOUNTS_MAX } from "../../base/limits.ts";
import type { CommittedFile } from "../../base/ports/repo.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeState } from "./tree-state.ts";

/** Folders of packages in which tools keep results beside what was installed. */
const CACHE_FOLDERS = [".cache", ".vite", ".vite-temp", ".vitest", ".tmp", ".astro"] as const;

type Made = Pick<TreeState, "made" | "filled">;

/** Folders among what setup made that runs may write, and that are empty before each. */
export function writableFolders({ tree }: TreePlace, { made }: Pick<Made, "made">): string[] {
  return made
    .filter((path) => basename(path) === "node_modules" && path.endsWith("/"))
    .flatMap((path) => CACHE_FOLDERS.map((name) => join(tree, path, name)));
}

/** What setup made, as a sandbox is to keep it: read-only. */
export interface ProtectedPaths {
  readonly readOnly: readonly string[];
  /** What cannot be mounted so, and is compared instead. */
  readonly compared: readonly string[];
}

/** @param hasMounts whether there is a sandbox that can make paths read-only */
export function protectMade(
  { directories }: { readonly directories: Pick<Directories, "kindOf"> },
  place: TreePlace,
  { made, filled }: Made,
  hasMounts: boolean,
): ProtectedPaths {
  const paths = made.map((path) => join(place.tree, path));
  const caches = filled.map((name) => join(place.setupCaches, name));
  const mounts = paths.length + writableFolders(place, { made }).length;
  if (!hasMounts) return { readOnly: [], compared: [...paths, ...caches] };
  if (mounts > TREE_MOUNTS_MAX) return { readOnly: [], compared: paths };
  // A mount on a link would be one on what it leads to.
  const isMountable = (path: string) => directories.kindOf(path) !== "other";
  return {
    readOnly: paths.filter(isMountable),
    compared: paths.filter((path) => !isMountable(path)),
  };
}

/**
 * A digest of what setup made. What is mounted read-only is looked at alone, not below: a run can move the folder it
 * is in, and put another in its place.
 */
export function fingerprintOf(
  { directories }: { readonly directories: Pick<Directories, "fingerprint" | "kindOf"> },
  place: TreePlace,
  made: Made,
  hasMounts: boolean,
): Promise<string> {
  const { readOnly, compared } = protectMade({ directories }, place, made, hasMounts);
  const without = new Set(writableFolders(place, made));
  return directories.fingerprint({ whole: compared, alone: readOnly, without });
}

/** Untracked paths: those that setup did not make, and whether what it made is still apart from the commit's. */
export function sortUntracked(
  untracked: readonly string[],
  made: readonly string[],
  files: readonly CommittedFile[],
): { readonly others: readonly string[]; readonly isApart: boolean } {
  const own = new Set(made);
  const isOwn = (path: string) => own.has(path) || above(path).some((folder) => own.has(folder));
  const others = untracked.filter((path) => !isOwn(path));
  const holds = others.filter((path) => path.endsWith("/"));
  const isInOther = made.some((path) => holds.some((folder) => path.startsWith(folder)));
  return { others, isApart: !isInOther && !files.some(({ path }) => isOwn(path)) };
}

/** The folders that a path is in, each with a slash at its end. */
function above(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1;) {
    folders.push(path.slice(0, at + 1));
    at = path.indexOf("/", at + 1);
  }
  return folders;
}
