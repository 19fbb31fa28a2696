import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { HUB_REF, refOf, type CloneRepo } from "../clone/clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";

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

/** Fetches the hub's branch into the clone and returns its commit. Starts no process if nothing is new. */
export async function fetchHub(repo: CloneRepo): Promise<Result<Oid, GitFailure>> {
  const { hub, branch, directory } = repo;
  const head = await hub.head(branch);
  if (head === undefined) {
    return fail(gitFailure("fetch", hub.directory, `the branch ${branch} is gone`));
  }
  if ((await refOf(repo, HUB_REF)) === head) return ok(head);
  const refspec = `+refs/heads/${branch}:${HUB_REF}`;
  const fetched = await repo.fetcher.must([...FETCH_ONLY, "--", hub.directory, refspec]);
  if (!fetched.ok) return fetched;
  // Another clone may have published between reading the head and the fetch.
  const now = await refOf(repo, HUB_REF);
  if (now !== undefined) return ok(now);
  return fail(gitFailure("fetch", directory, `nothing came of fetching ${branch}`));
}
