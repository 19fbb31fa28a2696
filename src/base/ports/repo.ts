import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Oid } from "../oid.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

interface GitFacts {
  readonly operation: string;
  readonly directory: string;
  readonly message: string;
}

/** git itself failed: what was asked, and the first lines of what it said (cleaned). */
export const GitFailure = refusal(
  "git",
  EXIT.failure,
  ({ operation, directory, message }: GitFacts) => [
    `git ${shown(operation)} failed in ${shown(directory)}: ${shown(message)}`,
    "Nothing was forced and nothing is lost; when git works there again, so does wisp.",
  ],
);
export type GitFailure = ReturnType<typeof GitFailure>;

export type PublishFailure =
  /** The hub's branch has commits that ours lacks: rebase and try again. */
  | { readonly kind: "not-fast-forward" }
  /** A person has the session branch checked out: a waiting state, never an attempt. */
  | { readonly kind: "checked-out"; readonly directory: string }
  | GitFailure;

export type JoinFailure =
  /** Both sides changed the same: files of the first few are named, cleaned. */
  { readonly kind: "conflict"; readonly paths: readonly string[] } | GitFailure;

/** One changed path of a range. */
export interface ChangedPath {
  readonly status: "added" | "modified" | "deleted" | "renamed" | "other";
  readonly path: string;
}

/** What a range changes, as a unified diff in UTF-8. */
export interface DiffText {
  readonly text: string;
  /** False: it goes on, and was cut at the end of a line. */
  readonly isWhole: boolean;
}

/** One line of a file of a commit. */
export interface TreeLine {
  readonly path: string;
  readonly text: string;
}

/** The user's repository as the hub of a session: only ever fetched into, never checked out. */
export interface Hub {
  readonly directory: string;
  /** HEAD of the session branch, read from files where possible; `undefined` when the branch is gone. */
  head(branch: string): Promise<Oid | undefined>;
  /**
   * Commits of `base..head`, oldest first: those that `seen` holds before the others, however histories were merged
   * since. So what was looked through up to a commit stays in front of it.
   */
  commits(base: Oid, head: Oid, seen?: Oid): Promise<Result<readonly Oid[], GitFailure>>;
}

/** A file of a commit, and what is in it. */
export interface CommittedText {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What of a commit is read at most; longer files are left out, and what comes after the last that fits. */
export interface TextBounds {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly allBytesMax: number;
}

/** A file of a commit, as its tree names it. */
export interface CommittedFile {
  readonly path: string;
  readonly oid: Oid;
}

/**
 * A work tree in which only wisp runs something, at a commit. As a clone it is deaf to every configuration but its
 * own; what is untracked in it is not touched here.
 */
export interface TreeRepo {
  readonly directory: string;
  /** Puts tracked files as they are at `at`, which is fetched from `holder` where the hub does not have it. */
  checkOut(at: Oid, holder: Clone): Promise<Result<void, GitFailure>>;
  /**
   * Paths that the commit does not have, ignored or not, relative to the tree: of a directory without any tracked
   * file only itself, with a slash at its end.
   */
  untracked(): Promise<Result<readonly string[], GitFailure>>;
  /**
   * The tree that the files make that `at` has, each read anew: nothing that git or anybody noted of them counts.
   */
  contentHash(at: Oid): Promise<Result<Oid, GitFailure>>;
  /** As of a clone. */
  layOver(from: Oid, paths: readonly string[]): Promise<Result<void, GitFailure>>;
}

/** A commit that was saved under a reference in the hub. */
export interface SavedCommit {
  readonly commit: Oid;
  /** Files that it has, and its parent has not, or has otherwise. */
  readonly paths: readonly string[];
}

/** Who made a commit, and when, as the commit itself says; not cleaned. */
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

/** A path that a range brought something to; not cleaned, and with U+FFFD where it is not UTF-8. */
export interface BroughtPath {
  readonly path: string;
  /** The last commit of the range that did; `undefined`: a merge took it over from elsewhere. */
  readonly commit: Oid | undefined;
}

/**
 * Where a symbolic link leads that is followed in a tree: out of it by an absolute path, by its parents, or into a
 * directory of git's; round and round; or nobody knows, because there is too much to follow.
 */
export type LinkEnd = "absolute" | "outside" | "git" | "endless" | "unknown";

/** What the commits of a range bring along that is no file of a usual size, and who made them. */
export interface BroughtIn {
  /** When the commit before the range was made. */
  readonly startMs: number;
  /** Those of merged branches, too; oldest first. */
  readonly commits: readonly SignedCommit[];
  /** Links that are new at the end of the range, or other ones, and do not stay in the tree. */
  readonly links: readonly (BroughtPath & { readonly target: string; readonly end: LinkEnd })[];
  /** Submodules that are new at the end of the range, or at another commit. */
  readonly submodules: readonly BroughtPath[];
  /** Files above `BROUGHT_BLOB_BYTES_MAX`, also such as are gone again: the history has them. */
  readonly blobs: readonly (BroughtPath & { readonly bytes: number })[];
}

/** A role's own clone. All commands run without hooks, filters, pager, prompts or the user's config surprises. */
export interface Clone {
  readonly directory: string;
  head(): Promise<Result<Oid, GitFailure>>;
  /**
   * Fetches the hub's branch and puts the work tree exactly at `at` (default: its HEAD), on the local
   * branch, clean: untracked files are removed, ignored ones (installed packages) stay.
   */
  syncTo(at?: Oid): Promise<Result<Oid, GitFailure>>;
  /** Commits made here on top of `base`, oldest first. */
  commitsSince(base: Oid): Promise<Result<readonly Oid[], GitFailure>>;
  /** Whether the work tree has anything uncommitted (untracked, not ignored, included). */
  isDirty(): Promise<Result<boolean, GitFailure>>;
  /**
   * Commits everything that is not ignored; `undefined` when there is nothing to commit. That is
   * remembered: whoever else is to work in the clone after it gets it by `syncTo`.
   */
  commitAll(message: string): Promise<Result<Oid | undefined, GitFailure>>;
  /**
   * Begins the subjects of our commits since `base` with a prefix, where they do not; nothing else of them changes.
   * Returns the new ids of commits by their old ones: of those that were reworded, and of those after them.
   */
  prefixSubjects(base: Oid, prefix: string): Promise<Result<ReadonlyMap<Oid, Oid>, GitFailure>>;
  /**
   * Makes one commit on `base` of everything since, work tree included; `undefined` when the trees are
   * equal, and then the branch is back at `base`.
   */
  squashSince(base: Oid, message: string): Promise<Result<Oid | undefined, GitFailure>>;
  /**
   * Rebases our commits since the common base onto the hub's HEAD (nothing to do
   * where ours hold it already); merges among them are flattened. A conflict is aborted cleanly. Uncommitted work
   * is a failure: commit or clean first.
   */
  rebaseOntoHub(): Promise<
    Result<
      { readonly head: Oid; readonly moved: boolean },
      { readonly kind: "conflict" } | GitFailure
    >
  >;
  /**
   * Puts the clone where the hub's branch and `tip` are both; `tip` was fetched from a remote into the hub. Where each
   * has commits that the other lacks, by one merge commit; nothing is rewritten. A conflict leaves the clone at the
   * hub's HEAD.
   */
  joinRemote(tip: Oid, message: string): Promise<Result<{ readonly head: Oid }, JoinFailure>>;
  /** Fetches `at` into the hub's session branch: fast-forward only, no hooks, never forced. */
  publish(at: Oid): Promise<Result<void, PublishFailure>>;
  /** Whether the clone has that commit at all. */
  has(oid: Oid): Promise<boolean>;
  changedPaths(start: Oid, end: Oid): Promise<Result<readonly ChangedPath[], GitFailure>>;
  /** What changes from `start` to `end`, the first `bytesMax` of it. */
  diff(start: Oid, end: Oid, bytesMax: number): Promise<Result<DiffText, GitFailure>>;
  /** Lines of text files that differ, added and removed. */
  changedLines(start: Oid, end: Oid): Promise<Result<number, GitFailure>>;
  /** What the commits after `start` up to `end` bring along. */
  broughtIn(start: Oid, end: Oid): Promise<Result<BroughtIn, GitFailure>>;
  /** All files of a commit, in git's order; a submodule counts as one. */
  filesAt(at: Oid): Promise<Result<readonly CommittedFile[], GitFailure>>;
  /** Tree id of a commit: the key under which a verify result is remembered. */
  treeOf(at: Oid): Promise<Result<Oid, GitFailure>>;
  /** Subject line of a commit, cleaned. */
  subjectOf(at: Oid): Promise<Result<string, GitFailure>>;
  /**
   * Puts these files of the work tree as they are at `from`, which has them all; the rest stays as it is.
   * Nothing is committed: `syncTo` or `clean` takes it back.
   */
  layOver(from: Oid, paths: readonly string[]): Promise<Result<void, GitFailure>>;
  /** Fetches what was saved under a reference of wisp's in the hub; `undefined` when the reference is gone. */
  saved(ref: string): Promise<Result<SavedCommit | undefined, GitFailure>>;
  /** The paths of all files of a commit; of one whose name is not UTF-8 with U+FFFD in it. */
  pathsAt(at: Oid): Promise<Result<readonly string[], GitFailure>>;
  /**
   * The lines of a commit's text files of these names (`*.py`, at any depth) that match an extended
   * regular expression (POSIX).
   */
  linesLike(
    at: Oid,
    wanted: { readonly pattern: string; readonly names: readonly string[] },
  ): Promise<Result<readonly TreeLine[], GitFailure>>;
  /** Files of a commit with their contents, in git's order, within bounds; no links. */
  textsAt(at: Oid, bounds: TextBounds): Promise<Result<readonly CommittedText[], GitFailure>>;
  /** Content of a file at a commit, or `undefined`. */
  show(at: Oid, path: string): Promise<Result<string | undefined, GitFailure>>;
  /**
   * After a crash, under the role's lease and after the sweep of its leftover processes: stale locks
   * removed, a half rebase or merge ended, HEAD reattached, work tree clean. What was uncommitted is
   * first saved under `refs/wisp/rescue/<session>/<time>` in the hub, and so are commits that the
   * local branch does not hold; the ref's name is returned when something was saved. Commits on the
   * local branch stay there, published or not: the recovery of the unit may publish them.
   */
  repair(): Promise<Result<{ readonly rescue: string | undefined }, GitFailure>>;
  /**
   * Repairs, saves unpublished commits and uncommitted work as one rescue ref in the hub (none when
   * there is nothing to save), and resets to the hub's HEAD.
   */
  rescueAndReset(): Promise<Result<{ readonly rescue: string | undefined }, GitFailure>>;
  /** Removes what is untracked and not ignored, resets tracked files: after verify. */
  clean(): Promise<Result<void, GitFailure>>;
}
