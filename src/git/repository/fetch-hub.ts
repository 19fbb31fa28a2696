import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { HUB_REF, refOf, type CloneRepo } from "../clone/clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";

/** What every fetch between hub and clones has in common: the one reference, and nothing beside it. */
export const FETCH_ONLY: readonly string[] = [
  "fetch",
  "--quiet",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--no-tags",
  "--no-prune",
  "--no-recurse-submodules",
];

/** Brings the hub's branch into the clone and returns its commit. No process when nothing is new. */
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
  // Another clone may have published between the look and the fetch.
  const now = await refOf(repo, HUB_REF);
  if (now !== undefined) return ok(now);
  return fail(gitFailure("fetch", directory, `nothing came of fetching ${branch}`));
}
