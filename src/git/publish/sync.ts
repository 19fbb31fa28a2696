import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { hasCommit, isAtHand } from "../clone/history.ts";
import { gitFailure } from "../command/git-failure.ts";
import { fetchHub } from "../repository/fetch-hub.ts";
import { assertOids } from "../command/object-ids.ts";
import { unsteer } from "../steering/unsteer.ts";
import {
  endUnfinished,
  forceTo,
  hiddenPaths,
  isExactlyAt,
  unhidePaths,
} from "../repository/work-tree.ts";

/** Fetches the hub's branch if the clone lacks a commit, and leaves the work tree as it is. */
export async function bringCommit(repo: CloneRepo, oid: Oid): Promise<Result<void, GitFailure>> {
  if (await isAtHand(repo, oid)) return ok(undefined);
  const fetched = await fetchHub(repo);
  if (await hasCommit(repo, oid)) return ok(undefined);
  if (!fetched.ok) return fetched;
  return fail(gitFailure("fetch", repo.directory, `${repo.branch} does not contain ${oid}`));
}

/**
 * Moves the clone to exactly `at`, or to the hub's HEAD, and returns the commit. The clone's next user may change
 * anything in it, so what was known of its work tree is cleared here.
 */
export async function syncTo(
  repo: CloneRepo,
  at: Oid | undefined,
): Promise<Result<Oid, GitFailure>> {
  if (at !== undefined) assertOids(at);
  // What follows may find everything in files, and start no git that would do this first.
  const restored = repo.restore();
  if (!restored.ok) return restored;
  // A turn that was killed leaves files of the base in place.
  const place = { directory: repo.directory, hub: repo.hub.directory };
  const unsteered = await unsteer(repo.context, place);
  if (!unsteered.ok) return unsteered;
  const { settledAt } = repo.memory;
  repo.memory.settledAt = undefined;
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  const target = at ?? fetched.value;
  const there = await isExactlyAt(repo, target, settledAt);
  if (!there.ok) return there;
  if (there.value) return { ok: true, value: target };
  const hidden = await hiddenPaths(repo);
  if (!hidden.ok) return hidden;
  const shown = await unhidePaths(repo, hidden.value);
  if (!shown.ok) return shown;
  const ended = endUnfinished(repo);
  return ended.ok ? forceTo(repo, target) : ended;
}
