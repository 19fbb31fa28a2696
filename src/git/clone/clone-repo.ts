import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
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
import { askForRef, readHead, readRef } from "../command/read-ref.ts";
import { restoreClone } from "./restore-clone.ts";

/** Where the clone remembers the hub's branch as of its last fetch, or its last publish. */
export const HUB_REF = "refs/wisp/hub";

/** Which clone, of what, for whom. */
export interface ClonePlace {
  readonly hub: HubRepo;
  readonly branch: string;
  /** The top of the clone's work tree. */
  readonly directory: string;
  /** The session's id: rescued work is filed under it. */
  readonly session: string;
}

/** A clone as the files of this folder work on it. */
export interface CloneRepo extends ClonePlace {
  readonly context: GitContext;
  /** Puts back what of its `.git` is wisp's to say; comes before every command by itself. */
  readonly restore: () => Result<void, GitFailure>;
  readonly location: GitDirectory;
  readonly memory: CloneMemory;
  /** git in the clone, deaf to every configuration but the clone's own. */
  readonly git: Git;
  /** git in the clone with the user's configuration, without which some hubs may not be read. */
  readonly fetcher: Git;
  /** git in the hub. */
  readonly atHub: Git;
}

/** Binds the commands to a clone that exists. `config` is the text its configuration must have. */
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
    location: { gitDirectory: git, commonDirectory: git },
    memory: { range: undefined, settledAt: undefined },
    git: guardedGit(gitIn(directory, cloneEnvironment(environment, directory)), restore),
    fetcher: guardedGit(gitIn(directory, fetching), restore),
    // Fetching into the hub starts a git in the clone, which reads the clone's configuration.
    atHub: guardedGit(userGit(context, hub.directory), restore),
  };
}

/** The commit that a reference of the clone is at, or `undefined`. */
export async function refOf(repo: CloneRepo, ref: string): Promise<Oid | undefined> {
  const read = readRef(repo.context.files, repo.location, ref);
  if (read.kind === "found") return read.oid;
  return read.kind === "absent" ? undefined : askForRef(repo.git, ref);
}

/** The commit checked out in the clone; `undefined` on a branch that has none yet. */
export async function headOf(repo: CloneRepo): Promise<Oid | undefined> {
  const head = readHead(repo.context.files, repo.location);
  if (head === undefined) return askForRef(repo.git, "HEAD");
  return "oid" in head ? head.oid : refOf(repo, head.ref);
}

/** As `headOf`, for callers that cannot go on without one. */
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

/** Whether `ancestor` is reachable from `descendant`; false as well when either is missing there. */
export async function isAncestor(git: Git, ancestor: Oid, descendant: Oid): Promise<boolean> {
  if (ancestor === descendant) return true;
  return (await git.ask(["merge-base", "--is-ancestor", ancestor, descendant])) !== undefined;
}

/** How one commit lies to another. */
export interface CloneRange {
  readonly from: Oid;
  readonly to: Oid;
  /** Commits of `from..to`, oldest first. */
  readonly commits: readonly Oid[];
  /** Whether one of them is a merge. */
  readonly hasMerges: boolean;
  /** Whether `from` holds commits that `to` lacks. */
  readonly isBehind: boolean;
}

/** What a process knows of its clone without asking git again; it dies with the process. */
export interface CloneMemory {
  /** The range that was asked for last. Commits never change, so the answer stays true. */
  range: CloneRange | undefined;
  /**
   * The commit at which a look found nothing uncommitted, after a turn. True until somebody else gets
   * the clone, and nobody gets it without `syncTo`, which forgets it.
   */
  settledAt: Oid | undefined;
}
