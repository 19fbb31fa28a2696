import type { Result } from "./result.ts";

/** Why a file operation did not happen. `errno` is the system's name of the error, such as `ENOSPC`. */
export interface FileFailure {
  readonly kind: "file";
  readonly operation:
    "read" | "append" | "replace" | "create" | "link" | "list" | "remove" | "make-directory";
  readonly path: string;
  readonly errno: string;
}

/** What the system says of a file without reading it. */
export interface FileStat {
  readonly sizeBytes: number;
  readonly inode: number;
  /** Time of its last change of any kind, in ms since 1970: nobody can set it. Absent where there is none. */
  readonly changedMs?: number | undefined;
}

/**
 * Closes a fragment that a killed writer or a full disk left behind the last newline, so that it never
 * becomes a record: the beginning of a line may be a whole line that says something else, and who
 * appends next has already decided without it. No line of any file of wisp ends so.
 */
export const SEAL = " |torn\n";

/**
 * Files as a port. All paths are absolute. No operation follows a symbolic link at the last
 * component or opens anything but a regular file (a FIFO in place of a log would hang an open).
 * Synchronous on purpose: an append is one `write` that nothing of ours may interleave with.
 */
export interface Files {
  /** Bytes `[offsetBytes, offsetBytes + lengthBytesMax)`; fewer at the end; empty past it or when absent. */
  readChunk(
    path: string,
    offsetBytes: number,
    lengthBytesMax: number,
  ): Result<Uint8Array, FileFailure>;
  /** The whole file, or `undefined` when absent. Fails above `sizeBytesMax` with errno `EFBIG`. */
  read(path: string, sizeBytesMax?: number): Result<Uint8Array | undefined, FileFailure>;
  /** What is at the path itself, or `undefined` when absent. */
  stat(path: string): FileStat | undefined;
  /**
   * Appends `bytes` (whole lines) with one write and an fsync; a torn tail is sealed first, by opening
   * with `SEAL`; fsyncs the directory when the file is new.
   */
  append(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Replaces atomically: temporary file, fsync, rename, fsync of the directory. `beforePlaced` runs right before
   * the rename: what it does not see of the file that goes, nobody had time to write. If it throws, nothing is
   * replaced.
   */
  replace(path: string, bytes: Uint8Array, beforePlaced?: () => void): Result<void, FileFailure>;
  /** Creates a file that must not exist yet (errno `EEXIST`), atomically with its full content, fsynced. */
  create(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Gives a regular file a second name, where nothing may be yet (errno `EEXIST`), and makes name and content
   * durable. It is the same file: what a program that has it open writes later stands under both names.
   */
  link(existing: string, path: string): Result<void, FileFailure>;
  /** Names in a directory, sorted; empty when absent. */
  list(path: string): Result<readonly string[], FileFailure>;
  /** Makes a directory and its parents, mode 0700. */
  makeDirectory(path: string): Result<void, FileFailure>;
  /** Removes one file; absent is fine. */
  remove(path: string): Result<void, FileFailure>;
  /**
   * Removes the temporary files that a killed `replace` or `create` left of these files of a directory: for who
   * alone writes them. Without names, of all.
   */
  removeTemporaries(directory: string, names?: readonly string[]): Result<void, FileFailure>;
}
