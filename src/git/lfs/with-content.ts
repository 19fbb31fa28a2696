import type { GitFailure } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { placeContent } from "./place-content.ts";

/**
 * What may write files of a role's clone, followed by giving those under Git LFS their content. Also after a failure: a
 * conflict leaves the clone at a commit as well.
 */
export async function withContent<T, F>(
  repo: CloneRepo,
  work: Promise<Result<T, F>>,
): Promise<Result<T, F | GitFailure>> {
  const done = await work;
  const placed = await placeContent(repo, { keepsOwn: true });
  return done.ok && !placed.ok ? placed : done;
}
