import { assert } from "../../base/assert.ts";
import type { GitFailure, SavedCommit } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { FETCH_ONLY } from "../repository/fetch-hub.ts";
import { changedPaths } from "./history.ts";
import { printedOid } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";

/** Where the clone keeps what it fetched last. */
const SAVED_REF = "refs/wisp/saved";
/** What wisp saves is filed here. */
const SAVED = /^refs\/wisp\/rescue\/[^\s:*?[\\^~]+$/u;

/** Fetches a commit that wisp saved in the hub; `undefined` where a person has deleted its reference. */
export async function savedCommit(
  repo: CloneRepo,
  ref: string,
): Promise<Result<SavedCommit | undefined, GitFailure>> {
  assert(SAVED.test(ref), "what was saved is filed where rescues are");
  const commit = await askForRef(repo.atHub, ref);
  if (commit === undefined) return ok(undefined);
  const refspec = `+${ref}:${SAVED_REF}`;
  const fetched = await repo.fetcher.must([...FETCH_ONLY, "--", repo.hub.directory, refspec]);
  if (!fetched.ok) return fetched;
  const printed = await repo.git.must(["rev-parse", "--verify", "--end-of-options", `${commit}^1`]);
  const parent = printed.ok ? printedOid(printed.value, repo.git) : printed;
  if (!parent.ok) return parent;
  const changed = await changedPaths(repo.git, parent.value, commit);
  if (!changed.ok) return changed;
  const there = changed.value.filter(({ status }) => status !== "deleted");
  return ok({ commit, paths: there.map(({ path }) => path) });
}
