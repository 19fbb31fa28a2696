import type { Oid } from "../oid.ts";

/** The author or committer of a commit and the time, as recorded in the commit; not cleaned. */
export interface CommitSignature {
  readonly name: string;
  readonly email: string;
  readonly atMs: number;
}

export interface SignedCommit {
  readonly sha: Oid;
  readonly author: CommitSignature;
  readonly committer: CommitSignature;
}

/** A path to which a range added something; not cleaned, and with U+FFFD where it is not UTF-8. */
export interface BroughtPath {
  readonly path: string;
  /** The last commit of the range that added it; `undefined` if a merge brought it in from elsewhere. */
  readonly commit: Oid | undefined;
}

/**
 * Where a symbolic link leads when followed within a tree: out of the tree by an absolute path or through parent
 * directories, into a git directory, in a circle, or unknown because there is too much to follow.
 */
export type LinkEnd = "absolute" | "outside" | "git" | "endless" | "unknown";

/** What the commits of a range add besides files of ordinary size, and who made them. */
export interface BroughtIn {
  /** The time of the commit before the range. */
  readonly startMs: number;
  /** The range's commits, including those of merged branches; oldest first. */
  readonly commits: readonly SignedCommit[];
  /** Links that lead out of the tree, and are new or changed at the end of the range. */
  readonly links: readonly (BroughtPath & { readonly target: string; readonly end: LinkEnd })[];
  /** Submodules that are new, or at another commit, at the end of the range. */
  readonly submodules: readonly BroughtPath[];
  /** Files above `BROUGHT_BLOB_BYTES_MAX`, even if later deleted: they stay in the history. */
  readonly blobs: readonly (BroughtPath & { readonly bytes: number })[];
}
