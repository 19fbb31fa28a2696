import { LFS_SESSION_BYTES_MAX } from "./lfs-limits.ts";
import type { GitFailure, PublishFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { keepContent } from "./keep-content.ts";
import type { PointerRange } from "./new-pointers.ts";
import { fewPaths, lfsPathsOf, pointerPaths } from "./pointer-paths.ts";
import { withoutKnown } from "./known-pointers.ts";

/**
 * Makes sure that commits can be published without loss: either the content of their new files under Git LFS is in the
 * user's repository afterwards, or they are refused, with a reason that names the files.
 */
export async function keepOrRefuse(
  repo: CloneRepo,
  range: PointerRange,
): Promise<Result<void, PublishFailure>> {
  const kept = await keepContent(repo, range);
  if (!kept.ok) return kept;
  const { missing, over } = kept.value;
  if (over.length > 0) {
    const names = await pointerPaths(repo.git, range, over);
    return names.ok ? refused(overWords(names.value)) : names;
  }
  const ours = await withoutKnown(repo, range, missing);
  if (!ours.ok) return ours;
  const lost = await lfsPathsOf(repo, range, ours.value);
  if (!lost.ok) return lost;
  return lost.value.length === 0 ? ok(undefined) : refused(lostWords(lost.value));
}

function overWords(paths: readonly string[]): string {
  const most = sizeWords(LFS_SESSION_BYTES_MAX);
  return `${fewPaths(paths)}: with this, the session would bring more than ${most} of Git LFS content, which is the limit`;
}

function lostWords(paths: readonly string[]): string {
  const what = "the commits have a pointer of Git LFS, and its content is nowhere to be found";
  return `${fewPaths(paths)}: ${what}: write the file again and add it, or take it out of the commits`;
}

function refused(reason: string): Result<never, Exclude<PublishFailure, GitFailure>> {
  return fail({ kind: "content", reason });
}
