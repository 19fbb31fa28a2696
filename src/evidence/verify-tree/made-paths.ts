import { basename, join } from "node:path";
import type { Directories } from "../../base/ports/directories.ts";
import { TREE_MOUNTS_MAX } from "../../base/limits.ts";
import type { CommittedFile } from "../../base/ports/repo.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeState } from "./tree-state.ts";

/** Folders in `node_modules` where tools store results next to installed packages. */
const CACHE_FOLDERS = [".cache", ".vite", ".vite-temp", ".vitest", ".tmp", ".astro"] as const;

type Made = Pick<TreeState, "made" | "filled">;

/** Folders within what setup made that runs may write, and that are emptied before each use. */
export function writableFolders({ tree }: TreePlace, { made }: Pick<Made, "made">): string[] {
  return made
    .filter((path) => basename(path) === "node_modules" && path.endsWith("/"))
    .flatMap((path) => CACHE_FOLDERS.map((name) => join(tree, path, name)));
}

/** How the files that setup made are protected from runs. */
export interface ProtectedPaths {
  readonly readOnly: readonly string[];
  /** Paths that cannot be mounted read-only, and are compared before the next use instead. */
  readonly compared: readonly string[];
}

/**
 * Decides how to protect the files that setup made.
 *
 * @param hasMounts whether a sandbox can make paths read-only
 */
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
  // A mount on a link would mount its target.
  const isMountable = (path: string) => directories.kindOf(path) !== "other";
  return {
    readOnly: paths.filter(isMountable),
    compared: paths.filter((path) => !isMountable(path)),
  };
}

/**
 * A digest of what setup made. Paths that are mounted read-only are hashed without their content. They are
 * hashed at all because a run can move the folder that they are in, and put another in its place.
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

/**
 * Sorts untracked paths.
 *
 * @returns `others`: paths that setup did not make; `isApart`: whether setup's paths are still separate from
 * these and from the commit's files
 */
export function sortUntracked(
  untracked: readonly string[],
  made: readonly string[],
  files: readonly CommittedFile[],
): { readonly others: readonly string[]; readonly isApart: boolean } {
  const own = new Set(made);
  const isOwn = (path: string) => own.has(path) || above(path).some((folder) => own.has(folder));
  const others = untracked.filter((path) => !isOwn(path));
  const holds = others.filter((path) => path.endsWith("/"));
  const isWithinOther = made.some((path) => holds.some((folder) => path.startsWith(folder)));
  return { others, isApart: !isWithinOther && !files.some(({ path }) => isOwn(path)) };
}

/** The folders that contain a path, each with a slash at its end. */
function above(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1;) {
    folders.push(path.slice(0, at + 1));
    at = path.indexOf("/", at + 1);
  }
  return folders;
}
