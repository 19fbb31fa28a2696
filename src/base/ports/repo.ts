import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Oid } from "../oid.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";
import type { BroughtIn } from "./brought-in.ts";
import type { FilterDrivers, UnfilteredPath, UnfilteredRange } from "./filters.ts";
import type { ProjectFacts } from "./project-facts.ts";

interface GitFacts {
  readonly operation: string;
  readonly directory: string;
  readonly message: string;
}

/** A git command failed; `message` holds the first lines of git's output, cleaned. */
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
  /** The hub's branch has commits that ours lacks: rebase and retry. */
  | { readonly kind: "not-fast-forward" }
  /** A person has the session's branch checked out. The role waits; this is never a failed attempt. */
  | { readonly kind: "checked-out"; readonly directory: string }
  /**
   * Content that the commits name, such as a file's under Git LFS, would be lost, or they have a path that git checks out
   * nowhere; `reason` names paths, cleaned.
   */
  | { readonly kind: "content"; readonly reason: string }
  | GitFailure;

export type JoinFailure =
  /** Both sides changed the same lines; `paths` lists the first few files, cleaned. */
  { readonly kind: "conflict"; readonly paths: readonly string[] } | GitFailure;

/** One changed path of a range. */
export interface ChangedPath {
  readonly status: "added" | "modified" | "deleted" | "renamed" | "other";
  readonly path: string;
}

/** The changes of a range, as a unified diff in UTF-8. */
export interface DiffText {
  readonly text: string;
  /** False if the diff continues, and was cut at a line break. */
  readonly isWhole: boolean;
}

/** One line of a file in a commit. */
export interface TreeLine {
  readonly path: string;
  readonly text: string;
}

/** The user's repository as the hub of a session: it is only fetched into, never checked out. */
export interface Hub {
  readonly directory: string;
  /** The session branch's commit, read from files if possible; `undefined` if the branch is gone. */
  head(branch: string): Promise<Oid | undefined>;
  /** The work tree that has a branch checked out, read from files if possible; `undefined` if none has. Absent: unknown. */
  heldAt?(branch: string): Promise<string | undefined>;
  /**
   * The commits of `base..head`, oldest first. Those that `seen` contains come before the others, however histories
   * were merged since, so that a prefix that was already processed stays a prefix.
   */
  commits(base: Oid, head: Oid, seen?: Oid): Promise<Result<readonly Oid[], GitFailure>>;
  /**
   * What is known of the project at a commit, and of the person's work tree. Absent: nothing is known of them.
   *
   * @param isWanted which files' texts are of interest
   */
  project?(at: Oid, isWanted: (path: string) => boolean): Promise<Result<ProjectFacts, GitFailure>>;
  /**
   * The filters of git. Asks git again only if the repository's own configuration changed. Absent: there are none.
   *
   * @param isAny false: only the repository's own matter, and git need not be asked if it defines none
   */
  filters?(isAny: boolean): Promise<Result<FilterDrivers, GitFailure>>;
}

/** A file in a commit, with its content. */
export interface CommittedText {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Limits for reading a commit's files. Longer files are skipped, and so is everything after the last that fits. */
export interface TextBounds {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly allBytesMax: number;
}

/** A file in a commit, as listed in its tree. */
export interface CommittedFile {
  readonly path: string;
  readonly oid: Oid;
  /** As git lists it, such as `100644`; a link's is `120000`, a submodule's `160000`. */
  readonly mode: string;
}

/**
 * A work tree at a commit in which only wisp runs commands. Being a clone, it ignores all configuration except its
 * own. Untracked files in it are never touched here.
 */
export interface TreeRepo {
  readonly directory: string;
  /** Checks out the tracked files of `at`, which is fetched from `holder` if the hub does not have it. */
  checkOut(at: Oid, holder: Clone): Promise<Result<void, GitFailure>>;
  /**
   * Paths that the commit lacks, ignored or not, relative to the tree. A directory without any tracked file appears
   * as a whole, with a slash at its end.
   */
  untracked(): Promise<Result<readonly string[], GitFailure>>;
  /**
   * The tree object that results from the current content of `at`'s files. Each file is read again, so that nothing
   * recorded in an index counts.
   */
  contentHash(at: Oid): Promise<Result<Oid, GitFailure>>;
  /** Like the clone's. */
  overlayFiles(from: Oid, paths: readonly string[]): Promise<Result<void, GitFailure>>;
}

/** A commit that was saved under a reference in the hub. */
export interface SavedCommit {
  readonly commit: Oid;
  /** The files that it adds or changes relative to its parent. */
  readonly paths: readonly string[];
}

/** What a clone held beside its branch and its work tree. */
export interface SavedBeside {
  /** The reference in the hub under which commits were saved, if there were any. */
  readonly rescue: string | undefined;
  /** What could not be saved, in words. */
  readonly held: readonly string[];
}

/** A role's own clone. All commands run without hooks, filters, pagers, prompts and the user's configuration. */
export interface Clone {
  readonly directory: string;
  head(): Promise<Result<Oid, GitFailure>>;
  /**
   * Fetches the hub's branch, and moves the local branch and the work tree to exactly `at` (default: the hub's
   * HEAD). Untracked files are removed; ignored ones (installed packages) stay.
   */
  syncTo(at?: Oid): Promise<Result<Oid, GitFailure>>;
  /** The commits made in the clone on top of `base`, oldest first. */
  commitsSince(base: Oid): Promise<Result<readonly Oid[], GitFailure>>;
  /**
   * The name of a local branch other than the session's that has commits on top of `base` which HEAD lacks, cleaned: the
   * newest one.
   */
  branchBeside(base: Oid): Promise<Result<string | undefined, GitFailure>>;
  /** Whether the work tree has uncommitted changes, including untracked files that are not ignored. */
  isDirty(): Promise<Result<boolean, GitFailure>>;
  /**
   * Commits everything that is not ignored; `undefined` if there is nothing to commit. The clone remembers the
   * latter, so any later user of the clone must start with `syncTo` or `clean`.
   */
  commitAll(message: string): Promise<Result<Oid | undefined, GitFailure>>;
  /**
   * Prepends a prefix to the subjects of our commits since `base` that lack it, and changes nothing else. Returns a
   * map from old to new ids, of the reworded commits and of those after them.
   */
  prefixSubjects(base: Oid, prefix: string): Promise<Result<ReadonlyMap<Oid, Oid>, GitFailure>>;
  /**
   * Makes one commit on `base` of everything since, including the work tree; `undefined` if the trees are equal, in
   * which case the branch is reset to `base`.
   */
  squashSince(base: Oid, message: string): Promise<Result<Oid | undefined, GitFailure>>;
  /**
   * Rebases our commits since the common base onto the hub's HEAD, unless they already contain it. Merges among
   * them are flattened. A conflict is aborted cleanly. Uncommitted work is a failure: commit or clean first.
   */
  rebaseOntoHub(): Promise<
    Result<
      { readonly head: Oid; readonly moved: boolean },
      { readonly kind: "conflict" } | GitFailure
    >
  >;
  /**
   * Moves the clone to a commit that contains both the hub's branch and `tip`, which was fetched from a remote into
   * the hub. If the two diverged, makes one merge commit; nothing is rewritten. A conflict leaves the clone at the
   * hub's HEAD.
   */
  joinRemote(tip: Oid, message: string): Promise<Result<{ readonly head: Oid }, JoinFailure>>;
  /**
   * The files that the commits of a range add or change, and that one of the filters `names` is to run on, by the
   * attributes of the base, of any of the commits, or of the person's own. What the branch has already does not count.
   */
  unfiltered(
    range: UnfilteredRange,
    names: readonly string[],
  ): Promise<Result<readonly UnfilteredPath[], GitFailure>>;
  /**
   * Why the commits of a range can be no part of a branch: a path that no work tree can have, such as `../file`; as one
   * line, cleaned. Undefined if they have none.
   */
  impossiblePath(from: Oid, to: Oid): Promise<Result<string | undefined, GitFailure>>;
  /**
   * Fetches `at` into the hub's session branch: fast-forward only, without hooks, never forced. The content of new files
   * under Git LFS is first copied into the user's store; if it cannot be, nothing is published.
   */
  publish(at: Oid): Promise<Result<void, PublishFailure>>;
  /**
   * Fetches the hub's branch if the clone lacks the commit; fails if it lacks it still. The work tree stays as it is,
   * unlike with `syncTo`.
   */
  bring(oid: Oid): Promise<Result<void, GitFailure>>;
  /**
   * Copies what is new on the hub's branch, if that takes no process and only a moment. The work tree stays as it is.
   * Does nothing if it cannot: `bring` and `syncTo` do not rely on it.
   */
  readAhead(): void;
  /** Whether the clone has the commit, reachable or not. */
  has(oid: Oid): Promise<boolean>;
  changedPaths(start: Oid, end: Oid): Promise<Result<readonly ChangedPath[], GitFailure>>;
  /** The changes from `start` to `end`, limited to `bytesMax`. */
  diff(start: Oid, end: Oid, bytesMax: number): Promise<Result<DiffText, GitFailure>>;
  /** The number of lines added and removed in text files. */
  changedLines(start: Oid, end: Oid): Promise<Result<number, GitFailure>>;
  /** What the commits after `start`, up to and including `end`, add. */
  broughtIn(start: Oid, end: Oid): Promise<Result<BroughtIn, GitFailure>>;
  /** All files in a commit, in git's order; a submodule counts as one file. */
  filesAt(at: Oid): Promise<Result<readonly CommittedFile[], GitFailure>>;
  /** The tree id of a commit, the key under which a verify result is stored. */
  treeOf(at: Oid): Promise<Result<Oid, GitFailure>>;
  /** The subject line of a commit, cleaned. */
  subjectOf(at: Oid): Promise<Result<string, GitFailure>>;
  /**
   * Replaces these files of the work tree with their versions at `from`, which must have them all. Other files
   * stay. Nothing is committed: `syncTo` or `clean` undoes it.
   */
  overlayFiles(from: Oid, paths: readonly string[]): Promise<Result<void, GitFailure>>;
  /** Fetches what was saved under a reference of wisp's in the hub; `undefined` if the reference is gone. */
  saved(ref: string): Promise<Result<SavedCommit | undefined, GitFailure>>;
  /** The paths of all files in a commit. Bytes of a name that are not UTF-8 become U+FFFD. */
  pathsAt(at: Oid): Promise<Result<readonly string[], GitFailure>>;
  /**
   * The lines that match an extended regular expression (POSIX), in a commit's text files with the given names
   * (`*.py`, at any depth).
   */
  linesLike(
    at: Oid,
    wanted: { readonly pattern: string; readonly names: readonly string[] },
  ): Promise<Result<readonly TreeLine[], GitFailure>>;
  /** Files of a commit with their contents, in git's order, within bounds; no links. */
  textsAt(at: Oid, bounds: TextBounds): Promise<Result<readonly CommittedText[], GitFailure>>;
  /** The content of a file in a commit; `undefined` if there is no such file. */
  show(at: Oid, path: string): Promise<Result<string | undefined, GitFailure>>;
  /**
   * Makes the clone usable after a crash; requires the role's lease and a completed sweep of leftover processes.
   * Removes stale locks, ends an unfinished rebase or merge, reattaches HEAD, and cleans the work tree. Uncommitted
   * work, and commits that the local branch does not contain, are first saved under
   * `refs/wisp/rescue/<session>/<time>` in the hub; the name of that reference is returned if anything was saved.
   * Commits on the local branch stay there, published or not: the recovery of the unit may publish them.
   */
  repair(): Promise<Result<{ readonly rescue: string | undefined }, GitFailure>>;
  /**
   * Repairs the clone, saves unpublished commits and uncommitted work under one rescue reference in the hub (none
   * if there is nothing to save), and resets to the hub's HEAD. With `at`, resets to that commit of the branch, and the
   * clone remembers that it is clean there, so any later user of the clone must start with `syncTo` or `clean`.
   */
  rescueAndReset(at?: Oid): Promise<Result<{ readonly rescue: string | undefined }, GitFailure>>;
  /**
   * Saves what a clone that is about to be removed holds beside its branch and its work tree, as `rescueAndReset` saves
   * those: other branches, stashes and notes, and content under Git LFS of the commits since `base`. Ignored files that
   * these commits name are named too, unless `made`, the tops of trees made from commits alone, have them.
   */
  saveBeside(base: Oid, made?: readonly string[]): Promise<Result<SavedBeside, GitFailure>>;
  /** Cleans up after a command: removes untracked files that are not ignored, and resets tracked files. */
  clean(): Promise<Result<void, GitFailure>>;
  /**
   * Removes the clone if that frees much of the disk and loses nothing: it is large, borrows its objects, and has
   * nothing that the hub lacks. It is then created again, at the same path, before it is used.
   *
   * @returns whether it was removed
   */
  rest(): Promise<Result<boolean, GitFailure>>;
}
