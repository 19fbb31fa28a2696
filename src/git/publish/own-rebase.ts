import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { HUB_REF, isAncestor, refOf, type CloneRepo } from "../clone/clone-repo.ts";
import { oidInFile } from "../command/object-ids.ts";
import { endUnfinished } from "../clone/unfinished.ts";
import { checkOutForced } from "../repository/work-tree.ts";

/**
 * Undoes a rebase of wisp's own that was killed. It began on committed work, so what it left in the
 * work tree is debris, not somebody's: files of the hub's commits and of ours, written before the index
 * knew of them. Checking out the one and then the other takes both kinds away, and leaves what was
 * untracked before.
 */
export async function undoOwnRebase(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const { files } = repo.context;
  const onto = oidInFile(files, stateOf(repo, "onto"));
  const began = oidInFile(files, stateOf(repo, "orig-head"));
  const tip = await refOf(repo, `refs/heads/${repo.branch}`);
  if (onto === undefined || began === undefined || tip === undefined) return ok(undefined);
  if (!(await isOntoHub(repo, onto, began))) return ok(undefined);
  const there = await repo.git.must(["checkout", "-q", "-f", "--detach", onto, "--"]);
  if (!there.ok) return there;
  const ended = endUnfinished(repo);
  if (!ended.ok) return ended;
  // The branch has the commits as they were, or, at the very end, as they became.
  const back = await checkOutForced(repo, tip);
  return back.ok ? ok(undefined) : back;
}

/** An engine may rebase its own commits, but no commit of the hub that they lack is there for it. */
async function isOntoHub(repo: CloneRepo, onto: Oid, began: Oid): Promise<boolean> {
  if (repo.context.directories.kindOf(stateOf(repo, "autostash")) !== undefined) return false;
  if (onto !== (await refOf(repo, HUB_REF))) return false;
  return !(await isAncestor(repo.git, onto, began));
}

function stateOf(repo: CloneRepo, name: string): string {
  return join(repo.location.gitDirectory, "rebase-merge", name);
}
