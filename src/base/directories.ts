import type { FileFailure } from "./files.ts";
import type { Result } from "./result.ts";

/** What is at a path itself: a symbolic link is `other`, whatever it points to. */
export type PathKind = "file" | "directory" | "other";

/** Whole directory trees as a port, for git clones. All paths are absolute; no link is ever followed. */
export interface Directories {
  /** What is at `path`; `undefined` when there is nothing. */
  kindOf(path: string): PathKind | undefined;
  /** Gives a directory a free name on the same file system, atomically and durably. */
  move(from: string, to: string): Result<void, FileFailure>;
  /** Removes a directory with everything in it; absent is fine. */
  removeTree(path: string): Result<void, FileFailure>;
}
