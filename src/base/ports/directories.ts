import type { FileFailure } from "./files.ts";
import type { Result } from "../result.ts";

/** The paths that a fingerprint covers. */
export interface FingerprintOf {
  /** Paths covered with everything below them. */
  readonly whole: readonly string[];
  /** Paths covered without what is below them. */
  readonly alone?: readonly string[] | undefined;
  /** Paths that are skipped, with everything below them. */
  readonly without?: ReadonlySet<string> | undefined;
}

/** The kind of the entry at a path; a symbolic link is `other`, whatever it points to. */
export type PathKind = "file" | "directory" | "other";

/** An entry of a directory, by its name there. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: PathKind;
}

/** What a file becomes that shares its content with another. */
export interface ShareAs {
  readonly isExecutable: boolean;
}

/** What a file must contain: the SHA-256 of its bytes, in hexadecimal, and their number. */
export interface ExactContent {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** How an exact copy is placed. */
export interface PlaceAs extends ShareAs {
  /** The time of its last change of content, if another one than now. */
  readonly modifiedMs?: number | undefined;
  /** Where it is made, on the same file system: what a killed process leaves there goes with the next attempt. */
  readonly temporary: string;
}

/** What an index of git records of a file, besides its mode; times are in ns since 1970. */
export interface RecordedStat {
  readonly changedNs: bigint;
  readonly modifiedNs: bigint;
  readonly device: bigint;
  readonly inode: bigint;
  readonly user: bigint;
  readonly group: bigint;
  readonly sizeBytes: bigint;
}

/** The space that a file system has left for ordinary users. */
export interface FreeSpace {
  readonly freeBytes: number;
  /** How many files can still be created; `undefined` if the file system does not count them. */
  readonly freeFiles: number | undefined;
}

/**
 * Whole directory trees as a port, for git clones. All paths are absolute; links are never followed, except by
 * `realPath`.
 */
export interface Directories {
  /** The kind of the entry at `path`; `undefined` if there is none. */
  kindOf(path: string): PathKind | undefined;
  /** The path with all links resolved; `undefined` if it leads nowhere. */
  realPath(path: string): string | undefined;
  /** The entries of a directory with their kinds; none if it is absent. */
  entries(path: string): Result<readonly DirectoryEntry[], FileFailure>;
  /** Moves a directory to an unused name on the same file system, atomically and durably. */
  move(from: string, to: string): Result<void, FileFailure>;
  /** Removes a directory with everything in it; does nothing if it is absent. */
  removeTree(path: string): Result<void, FileFailure>;
  /** Removes everything in a directory, but not the directory itself; does nothing if it is absent. */
  empty(path: string): Result<void, FileFailure>;
  /**
   * Copies a regular file to an unused name. Where the file system can, both share their content on the disk until
   * one of them changes. The copy is not made durable.
   */
  copyFile(from: string, to: string): Promise<Result<void, FileFailure>>;
  /**
   * Like `copyFile`, but only if the file system can share the content; fails otherwise, most often with errno
   * `ENOTSUP` or `EXDEV`, and leaves nothing at `to`. Creates missing parents. These and the file get the rights
   * of files that a program makes anew, whatever those of `from` are.
   */
  shareFile(from: string, to: string, is: ShareAs): Promise<Result<void, FileFailure>>;
  /**
   * Copies a regular file that somebody else may have written, if it has exactly this content, which is hashed while it
   * is copied. The copy appears whole, durably, and replaces what is at `to`; missing parents are created, and all get
   * the rights of files that a program makes anew. No link is followed at `from`.
   *
   * @returns false if there is no such file at `from`, or one with other content: then nothing is at `to`
   */
  copyExactly(
    from: string,
    to: string,
    content: ExactContent,
  ): Promise<Result<boolean, FileFailure>>;
  /**
   * Like `copyExactly`, for a file that can be made again: the copy is not made durable, and where the file system can,
   * both share their content on the disk until one of them changes.
   */
  placeExactly(
    from: string,
    to: string,
    content: ExactContent,
    as: PlaceAs,
  ): Promise<Result<boolean, FileFailure>>;
  /** Sets when the content of a file was last changed. */
  setModified(path: string, modifiedMs: number): Result<void, FileFailure>;
  /** What an index of git would record of a regular file; `undefined` if there is none. */
  recordedStat(path: string): RecordedStat | undefined;
  /**
   * Restores the owner's rights on folders at `path` and below.
   *
   * @returns the number of folders that were changed
   */
  makeWritable(path: string): Result<number, FileFailure>;
  /** Takes the right to write from all regular files at `path` and below, not from folders. */
  makeReadOnly(path: string): Result<void, FileFailure>;
  /**
   * A digest of the entries at these paths, without reading files: kinds, modes, sizes, inodes, and change times,
   * which nobody can set. Entries that cannot be inspected are included as such.
   */
  fingerprint(of: FingerprintOf): Promise<string>;
  /** The space left on the file system that holds `path`, or would hold it; `undefined` if it does not tell. */
  spaceAt(path: string): FreeSpace | undefined;
}
