import { errnoWords } from "../words/errno-words.ts";
import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

/** What was to be done with a file, and what has become of it then. */
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
  ["ENOSPC", "Make room; the same command then goes on from what is on record."],
  ["EDQUOT", "Make room; the same command then goes on from what is on record."],
  [
    "EIO",
    "The system's log says more of the disk; the same command goes on from what is on record.",
  ],
  ["EROFS", "See how it is mounted; the same command then goes on from what is on record."],
  ["EACCES", "See who owns it: wisp works as the user who owns the repository."],
]);

/** Why a file operation did not happen. */
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
    /** The system's name of the error, such as `ENOSPC`. */
    readonly errno: string;
  }) => [
    `${shown(path)} could not be ${OPERATIONS[operation]}: ${errnoWords(errno)}.`,
    HINTS.get(errno) ?? "What was done before is on record; the same command goes on from there.",
  ],
);
export type FileFailure = ReturnType<typeof FileFailure>;

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
