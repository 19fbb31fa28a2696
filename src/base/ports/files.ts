import { errnoWords } from "../words/errno-words.ts";
import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

/** The operations on files, each with the participle for messages. */
const OPERATIONS = {
  read: "read",
  append: "written to",
  replace: "written",
  create: "made",
  link: "given a second name",
  list: "listed",
  remove: "removed",
  "make-directory": "made as a directory",
} as const;

const HINTS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "Make room, then run the same command again; completed work is on record."],
  ["EDQUOT", "Make room, then run the same command again; completed work is on record."],
  ["EIO", "Check the system's log for errors of the disk, then run the same command again."],
  [
    "EROFS",
    "Check how it is mounted, then run the same command again; completed work is on record.",
  ],
  ["EACCES", "Check who owns it: wisp works as the user who owns the repository."],
]);

/** A file operation failed. */
export const FileFailure = refusal(
  "file",
  EXIT.failure,
  ({
    operation,
    path,
    errno,
  }: {
    readonly operation: keyof typeof OPERATIONS;
    readonly path: string;
    /** The system's name for the error, such as `ENOSPC`. */
    readonly errno: string;
  }) => [
    `${shown(path)} could not be ${OPERATIONS[operation]}: ${errnoWords(errno)}.`,
    HINTS.get(errno) ?? "Completed work is on record. Run the same command again to continue.",
  ],
);
export type FileFailure = ReturnType<typeof FileFailure>;

/** What the system reports about a file without reading it. */
export interface FileStat {
  readonly sizeBytes: number;
  readonly inode: number;
  /** The time of its last change of any kind, in ms since 1970, which nobody can set. Absent if unknown. */
  readonly changedMs?: number | undefined;
  /** Whether its owner may execute it. Absent if unknown. */
  readonly isExecutable?: boolean | undefined;
}

/**
 * Ends a fragment that a killed writer or a full disk left after the last newline, so that it never becomes a
 * record: the start of a line may itself be a valid line with another meaning, and the next writer has already
 * decided without it. No line that wisp writes ends like this.
 */
export const SEAL = " |torn\n";

/**
 * Files as a port. All paths are absolute. No operation follows a symbolic link at the last component, or opens
 * anything but a regular file (opening a FIFO in place of a log would hang). Synchronous on purpose: an append is
 * one `write` that no other code of ours can interleave with.
 */
export interface Files {
  /** Bytes `[offsetBytes, offsetBytes + lengthBytesMax)`; fewer at the end; empty beyond it or if absent. */
  readChunk(
    path: string,
    offsetBytes: number,
    lengthBytesMax: number,
  ): Result<Uint8Array, FileFailure>;
  /** The whole file, or `undefined` if absent. Fails with errno `EFBIG` if it exceeds `sizeBytesMax`. */
  read(path: string, sizeBytesMax?: number): Result<Uint8Array | undefined, FileFailure>;
  /** The state of the entry at the path itself, or `undefined` if absent. */
  stat(path: string): FileStat | undefined;
  /**
   * Appends `bytes` (whole lines) with one write and an fsync. A fragment at the end is sealed first, by starting
   * with `SEAL`. Syncs the directory if the file is new.
   */
  append(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Replaces a file atomically: temporary file, fsync, rename, fsync of the directory. `beforePlaced` runs right
   * before the rename, so that almost no time remains for changes to the old file that it cannot see. If it throws,
   * nothing is replaced.
   */
  replace(path: string, bytes: Uint8Array, beforePlaced?: () => void): Result<void, FileFailure>;
  /** Creates a file atomically with its full content, fsynced; fails with errno `EEXIST` if it exists. */
  create(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Creates a file that only a running turn needs; fails with errno `EEXIST` if it exists. Nothing is synced: after a
   * power cut, the file is missing or incomplete, and is created anew for the next turn.
   */
  createScratch(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Creates a file that can be copied again, and its directory; fails with errno `EEXIST` if it exists. The content is
   * synced before the file appears, but the name is not: after a power cut, the file is whole or missing.
   */
  createCopy(path: string, bytes: Uint8Array): Result<void, FileFailure>;
  /**
   * Gives a regular file a second, unused name (else errno `EEXIST`), and makes name and content durable. Both
   * names refer to the same file: what a program writes into it later appears under both.
   */
  link(existing: string, path: string): Result<void, FileFailure>;
  /** The names in a directory, sorted; empty if it is absent. */
  list(path: string): Result<readonly string[], FileFailure>;
  /** Creates a directory and its parents with mode 0700. */
  makeDirectory(path: string): Result<void, FileFailure>;
  /**
   * The same for a directory that is created anew whenever it is missing, such as that of a running turn. Nothing is
   * synced: after a power cut, the directory is missing or empty.
   */
  makeScratchDirectory(path: string): Result<void, FileFailure>;
  /** Removes one file; does nothing if it is absent. */
  remove(path: string): Result<void, FileFailure>;
  /**
   * Removes the temporary files that a killed `replace` or `create` left of the named files in a directory, or of
   * all files without `names`. Only for files that no other process writes.
   */
  removeTemporaries(directory: string, names?: readonly string[]): Result<void, FileFailure>;
}
