import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure, PublishFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { askCheckedOut, checkedOutAt } from "../repository/branches.ts";
import { HUB_REF, isAncestor, type CloneRepo } from "../clone/clone-repo.ts";
import { FETCH_ONLY } from "../repository/fetch-hub.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { gitFailure } from "../command/git-failure.ts";
import { hasCommit } from "../clone/history.ts";
import { assertOids } from "../command/object-ids.ts";

/** Two clones that publish at one moment meet at a lock that is held for a few milliseconds. */
const LOCK_TRIES_MAX = 5;

/**
 * Makes `at` the hub's session branch by a fetch into the hub: no hook runs there, no receiving end is
 * needed, and git itself refuses what is not a fast-forward, under the lock of the reference.
 */
export async function publish(repo: CloneRepo, at: Oid): Promise<Result<void, PublishFailure>> {
  assertOids(at);
  for (let attempt = 1; ; attempt++) {
    const before = await repo.hub.head(repo.branch);
    if (before === at) return ok(undefined);
    const refused = refusal(repo, before);
    if (refused !== undefined) return fail(refused);
    const fetched = await fetchIntoHub(repo, at, `refs/heads/${repo.branch}`);
    if (fetched.ok) {
      notePublished(repo, at);
      return ok(undefined);
    }
    const why = await whyRefused(repo, at, fetched.failure);
    if (why !== "try-again" || attempt >= LOCK_TRIES_MAX) {
      return fail(why === "try-again" ? fetched.failure : why);
    }
  }
}

/** What the next looks at the hub would find; where it is not noted, they find it themselves. */
function notePublished(repo: CloneRepo, at: Oid): void {
  const { context, location, hub, memory } = repo;
  // As git writes it, but for the lock: nobody else works in the clone.
  context.files.replace(join(location.commonDirectory, HUB_REF), Buffer.from(`${at}\n`));
  const { range } = memory;
  if (range?.to === at && !range.isBehind) hub.grew(range.from, range.commits);
}

/** Brings one commit of the clone into the hub, under the full name `ref`. Never forced. */
export async function fetchIntoHub(
  repo: CloneRepo,
  at: Oid,
  ref: string,
): Promise<Result<void, GitFailure>> {
  return repo.atHub.act([...FETCH_ONLY, "--", repo.directory, `${at}:${ref}`]);
}

/** What can be seen from files, before any process is started. */
function refusal(repo: CloneRepo, head: Oid | undefined): PublishFailure | undefined {
  const { hub, branch } = repo;
  if (head === undefined) {
    // A fetch would make it anew, against the will of whoever deleted it.
    return gitFailure("publish", hub.directory, `the branch ${branch} is gone`);
  }
  const { files } = repo.context;
  const located = locateGitDirectory(files, hub.directory);
  const directory = located && checkedOutAt(files, located, branch);
  return directory === undefined ? undefined : { kind: "checked-out", directory };
}

/** Told from facts, not from git's words: those change with its version. */
async function whyRefused(
  repo: CloneRepo,
  at: Oid,
  failure: GitFailure,
): Promise<PublishFailure | "try-again"> {
  const { hub, branch, atHub } = repo;
  const directory = await askCheckedOut(atHub, branch);
  if (directory !== undefined) return { kind: "checked-out", directory };
  const head = await hub.head(branch);
  if (head === undefined || !(await hasCommit(repo, at))) return failure;
  // The hub need not have `at`; the clone need not have the hub's newest commit, and then the hub
  // has moved on.
  if (!(await isAncestor(repo.git, head, at))) return { kind: "not-fast-forward" };
  return isLockContention(failure) ? "try-again" : failure;
}

function isLockContention(failure: GitFailure): boolean {
  return /lock|unable to update local ref/u.test(failure.message);
}
