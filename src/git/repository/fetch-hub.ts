import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { HUB_REF, refOf, type CloneRepo } from "../clone/clone-repo.ts";
import { readRef } from "../command/read-ref.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { gitFailure } from "../command/git-failure.ts";
import { copyCommits } from "./copy-objects.ts";

/** Common arguments of all fetches between the hub and clones: they fetch one reference and nothing else. */
export const FETCH_ONLY: readonly string[] = [
  "fetch",
  "--quiet",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--no-tags",
  "--no-prune",
  "--no-recurse-submodules",
];

/**
 * Fetches the hub's branch into the clone and returns its commit. Starts no process if nothing is new, or only a few
 * commits that are not packed yet.
 */
export async function fetchHub(repo: CloneRepo): Promise<Result<Oid, GitFailure>> {
  const { hub, branch, directory } = repo;
  const head = await hub.head(branch);
  if (head === undefined) {
    return fail(gitFailure("fetch", hub.directory, `the branch ${branch} is gone`));
  }
  const known = await refOf(repo, HUB_REF);
  if (known === head) return ok(head);
  const restored = repo.restore();
  if (!restored.ok) return restored;
  if (known !== undefined && copyFromHub(repo, { from: known, to: head })) return ok(head);
  const refspec = `+refs/heads/${branch}:${HUB_REF}`;
  const fetched = await repo.fetcher.must([...FETCH_ONLY, "--", hub.directory, refspec]);
  if (!fetched.ok) return fetched;
  // Another clone may have published between reading the head and the fetch.
  const now = await refOf(repo, HUB_REF);
  if (now !== undefined) return ok(now);
  return fail(gitFailure("fetch", directory, `nothing came of fetching ${branch}`));
}

/** Records which commit of the hub's branch the clone has; false if that is not possible. */
export function noteHubHead({ context, location }: CloneRepo, at: Oid): boolean {
  // Written as git writes it, but without the lock: nothing else uses the clone now.
  const path = join(location.commonDirectory, HUB_REF);
  return context.files.replace(path, Buffer.from(`${at}\n`)).ok;
}

/** Copies what is new on the hub's branch, unless that needs git. Does not wait for anything. */
export function copyAhead(repo: CloneRepo): void {
  const { files } = repo.context;
  const hub = locateGitDirectory(files, repo.hub.directory);
  const head = hub && readRef(files, hub, `refs/heads/${repo.branch}`);
  const known = readRef(files, repo.location, HUB_REF);
  if (head?.kind !== "found" || known.kind !== "found" || head.oid === known.oid) return;
  if (repo.restore().ok) copyFromHub(repo, { from: known.oid, to: head.oid });
}

function copyFromHub(repo: CloneRepo, range: { readonly from: Oid; readonly to: Oid }): boolean {
  const { files } = repo.context;
  const from = locateGitDirectory(files, repo.hub.directory);
  if (from === undefined) return false;
  return copyCommits(files, { from, to: repo.location }, range) && noteHubHead(repo, range.to);
}
