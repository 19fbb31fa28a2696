import type { FileFailure } from "./files.ts";
import type { Result } from "../result.ts";

/** Which paths a fingerprint is of. */
export interface FingerprintOf {
  /** With everything below them. */
  readonly whole: readonly string[];
  /** Themselves, and not what is below. */
  readonly alone?: readonly string[] | undefined;
  /** Not looked at where they are met, nor anything below. */
  readonly without?: ReadonlySet<string> | undefined;
}

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
  /** Removes everything in a directory, which stays the same; one that is absent is fine. */
  empty(path: string): Result<void, FileFailure>;
  /**
   * Gives the owner the rights back that were taken from folders at `path` and below.
   *
   * @returns how many folders were changed
   */
  makeWritable(path: string): Result<number, FileFailure>;
  /**
   * A digest of what is at these paths, without reading files: kinds, modes, sizes, inodes, and the times of the
   * last change of any kind, which nobody can set. What cannot be looked at counts as such.
   */
  fingerprint(of: FingerprintOf): Promise<string>;
}
