import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import {
  cloneEnvironment,
  type GitContext,
  TRUE_HISTORY,
  userEnvironment,
} from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, gitIn, guardedGit, userGit } from "../command/git.ts";
import type { HubRepo } from "../repository/hub.ts";
import { readHistory } from "../command/read-commit.ts";
import { askForRef, readHead, readRef } from "../command/read-ref.ts";
import type { FrozenRefs } from "../refs/frozen-refs.ts";
import type { ObjectStore } from "../store/object-store.ts";
import type { SetupCommands } from "../../base/setup-files.ts";
import type { FilledSubmodule } from "../submodules/submodule-links.ts";
import { borrowedIn } from "./clone-config.ts";
import { restoreClone } from "./restore-clone.ts";

/** The clone's record of the hub's branch, as of its last fetch or publish. */
export const HUB_REF = "refs/wisp/hub";

/** Identifies a clone: its hub, branch, directory and session. */
export interface ClonePlace {
  readonly hub: HubRepo;
  readonly branch: string;
  /** The top of the clone's work tree. */
  readonly directory: string;
  /** The session's id, under which rescued work is filed. */
  readonly session: string;
  /** Where the clone may borrow objects; absent: it has copies of its own. */
  readonly store?: ObjectStore | undefined;
  /** The references that it gets besides the branch; absent: none. */
  readonly refs?: FrozenRefs | undefined;
  /** The session's setup: submodules are filled unless it does that. Absent: nothing is filled. */
  readonly setup?: SetupCommands | undefined;
  /** Whether it is a verify tree: nothing in it is work, and all of it must be as it was written. */
  readonly isTree?: boolean | undefined;
}

/** A clone, as the files of this folder use it. */
export interface CloneRepo extends ClonePlace {
  readonly context: GitContext;
  /** Restores the parts of `.git` that wisp controls. Runs automatically before every command. */
  readonly restore: () => Result<void, GitFailure>;
  readonly location: GitDirectory;
  readonly memory: CloneMemory;
  /** git in the clone, ignoring all configuration except the clone's own. */
  readonly git: Git;
  /** git in the clone with the user's configuration, without which some hubs cannot be read. */
  readonly fetcher: Git;
  /** git in the hub. */
  readonly atHub: Git;
}

/**
 * Binds the commands to an existing clone. `config` is the text that its configuration file must
 * have.
 */
export function cloneRepo(context: GitContext, place: ClonePlace, config: string): CloneRepo {
  const { directory, hub } = place;
  const git = join(directory, ".git");
  const { environment } = context;
  const restore = () => restoreClone(context, directory, { config, hub: hub.directory });
  const fetching = {
    ...userEnvironment(environment, directory),
    GIT_DIR: git,
    GIT_WORK_TREE: directory,
    ...TRUE_HISTORY,
  };
  return {
    ...place,
    context,
    restore,
    location: { gitDirectory: git, commonDirectory: git, borrowed: borrowedIn(config) },
    memory: emptyMemory(),
    git: guardedGit(gitIn(directory, cloneEnvironment(environment, directory)), restore),
    fetcher: guardedGit(gitIn(directory, fetching), restore),
    // Fetching into the hub starts a git in the clone, which reads the clone's configuration.
    atHub: guardedGit(userGit(context, hub.directory), restore),
  };
}

/** The commit that a reference of the clone points to, or `undefined` if there is none. */
export async function refOf(repo: CloneRepo, ref: string): Promise<Oid | undefined> {
  const read = readRef(repo.context.files, repo.location, ref);
  if (read.kind === "found") return read.oid;
  return read.kind === "absent" ? undefined : askForRef(repo.git, ref);
}

/** The commit checked out in the clone; `undefined` on a branch without commits. */
export async function headOf(repo: CloneRepo): Promise<Oid | undefined> {
  const head = readHead(repo.context.files, repo.location);
  if (head === undefined) return askForRef(repo.git, "HEAD");
  return "oid" in head ? head.oid : refOf(repo, head.ref);
}

/** Like `headOf`, but fails if there is no commit. */
export async function mustHead(repo: CloneRepo): Promise<Result<Oid, GitFailure>> {
  const head = await headOf(repo);
  if (head !== undefined) return ok(head);
  return fail(gitFailure("head", repo.directory, "the clone has no commit checked out"));
}

/** Whether HEAD is on the session's branch. */
export function isAttached(repo: CloneRepo): boolean {
  const head = readHead(repo.context.files, repo.location);
  return head !== undefined && "ref" in head && head.ref === `refs/heads/${repo.branch}`;
}

/** Whether `ancestor` is reachable from `descendant`; false if either commit is missing. */
export async function isAncestor(git: Git, ancestor: Oid, descendant: Oid): Promise<boolean> {
  if (ancestor === descendant) return true;
  return (await git.ask(["merge-base", "--is-ancestor", ancestor, descendant])) !== undefined;
}

/** Like `isAncestor`, for commits of a clone; starts no process if a few new commits lie between. */
export async function isAncestorIn(
  { git, context, location }: CloneRepo,
  ancestor: Oid,
  descendant: Oid,
): Promise<boolean> {
  const line = readHistory(context.files, location, { from: ancestor, to: descendant });
  return line !== undefined || isAncestor(git, ancestor, descendant);
}

/** The commits between two commits, and how the two relate. */
export interface CloneRange {
  readonly from: Oid;
  readonly to: Oid;
  /** Commits of `from..to`, oldest first. */
  readonly commits: readonly Oid[];
  /** Whether any of the commits is a merge. */
  readonly hasMerges: boolean;
  /** Whether `from` has commits that `to` lacks. */
  readonly isBehind: boolean;
}

/** What a process remembers about its clone, to avoid asking git again. It is never stored. */
export interface CloneMemory {
  /** The last range that was requested. Commits never change, so it stays valid. */
  range: CloneRange | undefined;
  /**
   * The commit at which the work tree was found clean after a turn, or was made clean before one. It
   * stays valid until another process uses the clone, which always calls `syncTo` or `clean` first,
   * and both clear it.
   */
  settledAt: Oid | undefined;
  /** The state of the index in which the files under Git LFS were last given their content. */
  placedIn: string | undefined;
  /** The submodules that were filled; undefined until that was read. */
  filled: readonly FilledSubmodule[] | undefined;
  /** Trees of commits that were asked for. */
  readonly trees: Map<Oid, Oid>;
  /** What changed between two commits, by both: a review asks for it several times. */
  readonly changes: Map<string, readonly ChangedPath[]>;
  /** How many lines changed between two commits, by both, as counted in their diff. */
  readonly lines: Map<string, number>;
  /** The paths of a commit's files: a milestone starts at the commit at which the one before it ended. */
  readonly paths: Map<Oid, readonly string[]>;
}

function emptyMemory(): CloneMemory {
  return {
    range: undefined,
    settledAt: undefined,
    placedIn: undefined,
    filled: undefined,
    trees: new Map(),
    changes: new Map(),
    lines: new Map(),
    paths: new Map(),
  };
}

/** Keeps a fact about commits. What was known is forgotten if it would become more than `entriesMax`. */
export function keep<K, V>(facts: Map<K, V>, key: K, value: V, entriesMax: number): void {
  if (facts.size >= entriesMax) facts.clear();
  facts.set(key, value);
}
