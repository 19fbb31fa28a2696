import { posix } from "node:path";
import type { Directories } from "../../base/ports/directories.ts";
import type { Files } from "../../base/ports/files.ts";

/** The files of this machine. */
export interface MachineFiles {
  readonly files: Pick<Files, "read">;
  readonly directories: Pick<Directories, "kindOf" | "entries" | "realPath">;
}

/** The person's checkout, and the folder that takes its place for a command: a verify tree or a clone. */
export interface Replacement {
  /**
   * Absolute paths of the checkout and of the other work trees of its repository, as written and without links. One that is
   * in another one comes first.
   */
  readonly checkout: readonly string[];
  /** The folder whose files are meant by those of the checkout. */
  readonly folder: string;
  /** Places in the checkout that are not its work tree, such as wisp's own state: paths below them stay. */
  readonly apart: readonly string[];
  /** Places in the checkout that are used if `folder` does not have them. */
  readonly allowed: readonly string[];
  readonly isThere: (path: string) => boolean;
  /** The path with all links resolved; `undefined` if it leads nowhere. */
  readonly realPath: (path: string) => string | undefined;
}

/** What becomes of a path: it is not in the checkout or may be used, is somewhere else, or is not there any more. */
export type Replaced =
  | { readonly kind: "stays" }
  | { readonly kind: "moved"; readonly path: string }
  /** `path`: where it would be. */
  | { readonly kind: "gone"; readonly path: string };

/** Finds what an absolute path of the person means where `folder` takes the place of the checkout. */
export function replaced(path: string, by: Replacement): Replaced {
  const full = withoutEnd(posix.normalize(path));
  const real = realEnough(full, by.realPath);
  const isApart = [full, real].some((one) => isAmong(one, by.apart));
  const inside = isApart ? undefined : (below(full, by.checkout) ?? below(real, by.checkout));
  if (inside === undefined) return { kind: "stays" };
  const moved = posix.join(by.folder, inside);
  if (by.isThere(moved)) return { kind: "moved", path: moved };
  const isAllowed = [full, real].some((one) => isAmong(one, by.allowed));
  return isAllowed ? { kind: "stays" } : { kind: "gone", path: moved };
}

/** The path relative to the first of `folders` that it is in; empty for the folder itself. */
function below(path: string, folders: readonly string[]): string | undefined {
  const folder = folders.find((one) => isAmong(path, [one]));
  return folder === undefined ? undefined : posix.relative(folder, path);
}

function isAmong(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(withEnd(folder)));
}

function withEnd(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Without links as far as the path exists. */
function realEnough(path: string, realPath: Replacement["realPath"]): string {
  for (let at = path; at !== "/"; at = posix.dirname(at)) {
    const real = realPath(at);
    if (real !== undefined) return posix.join(real, posix.relative(at, path));
  }
  return path;
}
