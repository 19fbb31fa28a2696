import type { Oid } from "../../base/oid.ts";
import type { GitFailure, PublishFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { askCheckedOut, checkedOutAt } from "../repository/branches.ts";
import { isAncestorIn, type CloneRepo } from "../clone/clone-repo.ts";
import { FETCH_ONLY, noteHubHead } from "../repository/fetch-hub.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { gitFailure } from "../command/git-failure.ts";
import { hasCommit } from "../clone/history.ts";
import { assertOids } from "../command/object-ids.ts";

/** Two clones that publish at the same moment contend for a lock that is held for a few milliseconds. */
const LOCK_TRIES_MAX = 5;

/**
 * Moves the hub's session branch to `at` by a fetch into the hub: this runs no hook and needs no receiving process
 * there, and git itself rejects anything but a fast-forward, under the reference's lock.
 */
export async function publish(repo: CloneRepo, at: Oid): Promise<Result<void, PublishFailure>> {
  assertOids(at);
  for (let attempt = 1; ; attempt++) {
    const before = await repo.hub.head(repo.branch);
    if (before === at) return ok(undefined);
    const refusedEarly = refusal(repo, before);
    if (refusedEarly !== undefined) return fail(refusedEarly);
    const fetched = await fetchIntoHub(repo, at, `refs/heads/${repo.branch}`);
    if (fetched.ok) {
      notePublished(repo, at);
      return ok(undefined);
    }
    const reason = await refusalReason(repo, at, fetched.failure);
    if (reason !== "try-again" || attempt >= LOCK_TRIES_MAX) {
      return fail(reason === "try-again" ? fetched.failure : reason);
    }
  }
}

/** Records what the next reads of the hub would find; if this fails, they ask git themselves. */
function notePublished(repo: CloneRepo, at: Oid): void {
  const { hub, memory } = repo;
  noteHubHead(repo, at);
  const { range } = memory;
  if (range?.to === at && !range.isBehind) hub.grew(range.from, range.commits);
}

/** Fetches one commit of the clone into the hub, under the full name `ref`; never forced. */
export async function fetchIntoHub(
  repo: CloneRepo,
  at: Oid,
  ref: string,
): Promise<Result<void, GitFailure>> {
  return repo.atHub.act([...FETCH_ONLY, "--", repo.directory, `${at}:${ref}`]);
}

/** The refusals that can be detected from files, before any process starts. */
function refusal(repo: CloneRepo, head: Oid | undefined): PublishFailure | undefined {
  const { hub, branch } = repo;
  if (head === undefined) {
    // A fetch would recreate the branch that somebody deleted on purpose.
    return gitFailure("publish", hub.directory, `the branch ${branch} is gone`);
  }
  const { files } = repo.context;
  const located = locateGitDirectory(files, hub.directory);
  const directory = located && checkedOutAt(files, located, branch);
  return directory === undefined ? undefined : { kind: "checked-out", directory };
}

/** Determines the reason from facts, because git's messages change with its version. */
async function refusalReason(
  repo: CloneRepo,
  at: Oid,
  failure: GitFailure,
): Promise<PublishFailure | "try-again"> {
  const { hub, branch, atHub } = repo;
  const directory = await askCheckedOut(atHub, branch);
  if (directory !== undefined) return { kind: "checked-out", directory };
  const head = await hub.head(branch);
  if (head === undefined || !(await hasCommit(repo, at))) return failure;
  // The hub may lack `at`, and the clone may lack the hub's newest commit. In the latter case the hub has moved on.
  if (!(await isAncestorIn(repo, head, at))) return { kind: "not-fast-forward" };
  return isLockContention(failure) ? "try-again" : failure;
}

function isLockContention(failure: GitFailure): boolean {
  return /lock|unable to update local ref/u.test(failure.message);
}
