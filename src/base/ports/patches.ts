import type { Oid } from "../oid.ts";

/** A line that a change adds, and its number in the file as the change leaves it. */
export interface AddedLine {
  readonly line: number;
  /** Without its line break; not cleaned. */
  readonly text: string;
}

/** A text file that a change touches; not cleaned, and with U+FFFD where it is not UTF-8. */
export interface PatchedFile {
  readonly path: string;
  readonly added: readonly AddedLine[];
  readonly removed: readonly string[];
}

/** A commit with its changes; a merge has none. */
export interface PatchedCommit {
  readonly sha: Oid;
  /** Address of the author. */
  readonly email: string;
  readonly message: string;
  readonly files: readonly PatchedFile[];
}

/** How a path differs between the two ends of a range. */
export interface ChangedEntry {
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** At the end of the range; of a deleted file, the one that it had. */
  readonly path: string;
  readonly before: Oid | undefined;
  readonly after: Oid | undefined;
}

/** Everything that a range of commits changes in text, as far as it was read. */
export interface RangePatches {
  /** Oldest first. */
  readonly commits: readonly PatchedCommit[];
  /** What differs between the two ends; without deleted files. */
  readonly net: readonly PatchedFile[];
  readonly entries: readonly ChangedEntry[];
  /** False if a limit left something out. */
  readonly isWhole: boolean;
}
