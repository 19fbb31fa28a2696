import type { Oid } from "../../base/oid.ts";
import type { GitFailure, PublishFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { onlyAnnexedHere } from "../annex/annexed-content.ts";
import { askCheckedOut, checkedOutAt } from "../repository/branches.ts";
import { isAncestorIn, type CloneRepo } from "../clone/clone-repo.ts";
import { FETCH_ONLY, noteHubHead } from "../repository/fetch-hub.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { gitFailure } from "../command/git-failure.ts";
import { hasCommit } from "../clone/history.ts";
import { newObjects } from "../repository/copy-objects.ts";
import { impossiblePath } from "./impossible-paths.ts";
import { keepOrRefuse } from "../lfs/refuse-unkept.ts";
import { packOf } from "../repository/pack-of.ts";
import { readRef } from "../command/read-ref.ts";
import { assertOids } from "../command/object-ids.ts";

/** Two clones that publish at the same moment contend for a lock that is held for a few milliseconds. */
const LOCK_TRIES_MAX = 5;

/**
 * Moves the hub's session branch to `at`: this runs no hook, and git itself rejects anything but a fast-forward, under
 * the reference's lock. A few new commits are handed over as they are; anything else is fetched into the hub.
 */
export async function publish(repo: CloneRepo, at: Oid): Promise<Result<void, PublishFailure>> {
  assertOids(at);
  for (let attempt = 1; ; attempt++) {
    const before = await repo.hub.head(repo.branch);
    if (before === at) return ok(undefined);
    const refusedEarly = refusal(repo, before);
    if (refusedEarly !== undefined) return fail(refusedEarly);
    const impossible =
      before === undefined ? ok(undefined) : await impossiblePath(repo, { from: before, to: at });
    if (!impossible.ok) return impossible;
    if (impossible.value !== undefined) return fail({ kind: "content", reason: impossible.value });
    const annexed =
      before === undefined ? ok(undefined) : await onlyAnnexedHere(repo, { from: before, to: at });
    if (!annexed.ok) return annexed;
    if (annexed.value !== undefined) return fail({ kind: "content", reason: annexed.value });
    const kept =
      before === undefined ? ok(undefined) : await keepOrRefuse(repo, { from: before, to: at });
    if (!kept.ok) return kept;
    const ref = `refs/heads/${repo.branch}`;
    const handed = await handOver(repo, { from: before, to: at, ref });
    const moved = handed ?? (await fetchIntoHub(repo, at, ref));
    if (moved.ok) {
      notePublished(repo, at);
      return ok(undefined);
    }
    const reason = await refusalReason(repo, at, moved.failure);
    if (reason !== "try-again" || attempt >= LOCK_TRIES_MAX) {
      return fail(reason === "try-again" ? moved.failure : reason);
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

/**
 * Publishes a few commits that are not packed yet with two processes, where a fetch starts six. git stores the objects
 * as it would those of a fetch, and refuses any that names one that is absent; the branch moves only from the commit
 * that they follow. Undefined if a fetch has to do it: it then says what is in the way.
 */
async function handOver(
  repo: CloneRepo,
  { from, to, ref }: { readonly from: Oid | undefined; readonly to: Oid; readonly ref: string },
): Promise<Result<void, GitFailure> | undefined> {
  const { context, atHub, branch } = repo;
  const { files } = context;
  const hub = locateGitDirectory(files, repo.hub.directory);
  // What git keeps in another format cannot be looked through for work trees on the branch.
  if (hub === undefined || from === undefined || readRef(files, hub, ref).kind !== "found")
    return undefined;
  const objects = newObjects(files, repo.location, { from, to });
  const pack = objects && packOf(objects);
  if (pack === undefined) return undefined;
  const stdin = pack.toString("latin1");
  const stored = await atHub.act(["unpack-objects", "-q", "--strict"], {
    stdin,
    encoding: "latin1",
  });
  const at = { at: hub, called: repo.hub.directory };
  if (!stored.ok || checkedOutAt(files, at, branch) !== undefined) return undefined;
  return atHub.act(["update-ref", "--no-deref", "-m", "wisp: publish", ref, to, from]);
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
  const directory = located && checkedOutAt(files, { at: located, called: hub.directory }, branch);
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
