import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fillSubmodules } from "./fill-submodules.ts";
import { filledIn } from "./filled-record.ts";
import { besideFilled } from "./filled-folder.ts";

/** What moved a work tree, once the submodules of its commit are filled. */
export async function thenFilled<T, F>(
  repo: CloneRepo,
  moved: Result<T, F>,
): Promise<Result<T, F | GitFailure>> {
  if (!moved.ok) return moved;
  const filled = await fillSubmodules(repo);
  return filled.ok ? moved : filled;
}

/** The untracked paths of a tree, with those in the folders of submodules, which git does not look into. */
export function withBeside(
  repo: CloneRepo,
  untracked: Result<readonly string[], GitFailure>,
): Result<readonly string[], GitFailure> {
  const filled = filledIn(repo);
  if (!untracked.ok || filled.length === 0) return untracked;
  return ok([...untracked.value, ...filled.flatMap((one) => besideFilled(repo, one))]);
}
