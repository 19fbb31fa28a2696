import { Oid } from "../../base/oid.ts";
import type { GitFailure, SavedBeside } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { unkeepable } from "../clone/unkeepable.ts";
import { linesOf } from "../command/raw-output.ts";
import { keepContent } from "../lfs/keep-content.ts";
import { fewPaths, pointerPaths } from "../lfs/pointer-paths.ts";
import { submoduleWork } from "../submodules/submodule-work.ts";
import { saveRescue } from "./rescue.ts";

/**
 * Saves what a clone holds beside its branch and its work tree, before it is removed: the tips of its other references
 * (branches, stashes, notes) that no reference of the hub leads to, and the content under Git LFS of all commits since
 * `base`, which an earlier program did not keep. What cannot be saved is named.
 */
export async function saveBeside(
  repo: CloneRepo,
  base: Oid,
): Promise<Result<SavedBeside, GitFailure>> {
  const own = await ownTips(repo);
  if (!own.ok) return own;
  const rescue = await saveRescue(repo, { hasWork: false, commits: own.value });
  if (!rescue.ok) return rescue;
  const head = await repo.hub.head(repo.branch);
  const held = [...unkeepable(repo), ...(await submoduleWork(repo))];
  if (head === undefined || head === base) return ok({ rescue: rescue.value, held });
  const range = { from: base, to: head };
  const kept = await keepContent(repo, range);
  if (!kept.ok) return kept;
  if (kept.value.over.length === 0) return ok({ rescue: rescue.value, held });
  const paths = await pointerPaths(repo.git, range, kept.value.over);
  if (!paths.ok) return paths;
  const over = `content under Git LFS beyond the session's limit: ${fewPaths(paths.value)}`;
  return ok({ rescue: rescue.value, held: [...held, over] });
}

/** The commits that references of the clone name, and entries of its stash, and that the hub's do not lead to. */
async function ownTips({ git, atHub }: CloneRepo): Promise<Result<readonly Oid[], GitFailure>> {
  const format = "--format=%(objectname) %(*objectname)";
  const named = await git.must(["for-each-ref", format]);
  if (!named.ok) return named;
  const stashed = await git.ask(["log", "-g", "--format=%H", "refs/stash", "--"]);
  const ours = [...named.value.split(/\s+/u), ...linesOf(stashed ?? "")].filter(isOid);
  const known = await atHub.must(["for-each-ref", "--format=%(objectname)"]);
  if (!known.ok) return known;
  const theirs = linesOf(known.value).map((oid) => `^${oid}`);
  const stdin = [...new Set([...ours, ...theirs])].map((word) => `${word}\n`).join("");
  const listed = await git.must(["rev-list", "--ignore-missing", "--stdin"], { stdin });
  if (!listed.ok) return listed;
  const lacking = new Set(linesOf(listed.value));
  return ok([...new Set(ours)].filter((oid) => lacking.has(oid)));
}

function isOid(text: string): boolean {
  return Oid.safeParse(text).success;
}
