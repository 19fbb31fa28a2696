import type { Oid } from "../../base/oid.ts";
import type { GitFailure, JoinFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { headOf, isAncestorIn, mustHead, type CloneRepo } from "../clone/clone-repo.ts";
import { FETCH_ONLY, fetchHub } from "../repository/fetch-hub.ts";
import { remoteRef } from "../remote/remote-branch.ts";
import { gitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { clearBefore } from "../submodules/clear-submodules.ts";
import { syncTo } from "./sync.ts";
import { unfinishedOperation } from "../repository/work-tree.ts";
import { entriesOf } from "../command/raw-output.ts";

/** The clone's reference for the tip of the remote's branch. */
const JOINED_REF = "refs/wisp/remote";
/** How many conflicting files are named, and the maximum length of each name. */
const PATHS_NAMED_MAX = 20;
const PATH_CHARS_MAX = 200;

/**
 * Moves the clone to a commit that contains both the hub's branch and `tip`, which was fetched from a remote: to
 * `tip` itself if it contains the hub's HEAD, otherwise to a merge commit of the two. Existing commits are never
 * rewritten, and the same merge is not made twice. A conflict leaves the clone at the hub's HEAD.
 */
export async function joinRemote(
  repo: CloneRepo,
  tip: Oid,
  message: string,
): Promise<Result<{ readonly head: Oid }, JoinFailure>> {
  assertOids(tip);
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  const ours = fetched.value;
  const ref = remoteRef(repo.session);
  const refspec = `+${ref}:${JOINED_REF}`;
  const brought = await repo.fetcher.must([...FETCH_ONLY, "--", repo.hub.directory, refspec]);
  if (!brought.ok) return brought;
  if (await isAncestorIn(repo, ours, tip)) return placed(await syncTo(repo, tip));
  if (await isJoined(repo, ours, tip)) return placed(await mustHead(repo));
  const synced = await syncTo(repo, ours);
  if (!synced.ok) return synced;
  // The merge changes the work tree, so what is known of it no longer holds.
  repo.memory.settledAt = undefined;
  const cleared = await clearBefore(repo, tip);
  if (!cleared.ok) return cleared;
  const merged = await repo.git.run(["merge", ...MERGE_OPTIONS, "-m", message, tip]);
  if (merged.ok && merged.value.exitCode === 0) return placed(await mustHead(repo));
  const isConflict = unfinishedOperation(repo) !== undefined;
  const paths = isConflict ? await conflicting(repo) : ok([]);
  const undone = await syncTo(repo, ours);
  if (!undone.ok) return undone;
  if (!merged.ok) return merged;
  if (!paths.ok) return paths;
  if (isConflict) return fail({ kind: "conflict", paths: paths.value });
  return fail(gitFailure("merge", repo.directory, merged.value.stderr));
}

function placed(at: Result<Oid, GitFailure>): Result<{ readonly head: Oid }, GitFailure> {
  return at.ok ? ok({ head: at.value }) : at;
}

/** Whether the clone is already at the merge of exactly these two commits, from an earlier attempt. */
async function isJoined(repo: CloneRepo, ours: Oid, tip: Oid): Promise<boolean> {
  const head = await headOf(repo);
  if (head === undefined) return false;
  const printed = await repo.git.ask(["rev-list", "--parents", "--max-count=1", head, "--"]);
  return printed?.trim() === `${head} ${ours} ${tip}`;
}

async function conflicting(repo: CloneRepo): Promise<Result<readonly string[], GitFailure>> {
  const printed = await repo.git.must(["diff", "--name-only", "--diff-filter=U", "-z", "--"]);
  if (!printed.ok) return printed;
  return ok(
    entriesOf(printed.value)
      .slice(0, PATHS_NAMED_MAX)
      .map((path) => cleanText(path, { charsMax: PATH_CHARS_MAX, lines: "one" })),
  );
}

const MERGE_OPTIONS = [
  "--quiet",
  "--no-ff",
  "--no-edit",
  "--no-autostash",
  "--no-gpg-sign",
  "--no-verify",
  "--no-verify-signatures",
  "--no-rerere-autoupdate",
  "--no-log",
  "--no-signoff",
  "--allow-unrelated-histories",
];
