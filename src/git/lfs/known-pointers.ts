import { LFS_POINTER_BYTES_MAX } from "./lfs-limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import type { Git } from "../command/git.ts";
import { linesOf } from "../command/raw-output.ts";
import type { PointerRange, FoundPointer } from "./new-pointers.ts";

/** Names fit into one command line. */
const NAMES_AT_ONCE_MAX = 5_000;

/**
 * The pointers that are in no commit of the user's repository, on a branch of theirs or fetched from a remote. The
 * content of the others is where it was, and need not have been fetched: a merge or a revert brings them again. What
 * wisp saved in the repository came from a clone, and does not count.
 */
export async function withoutKnown(
  repo: CloneRepo,
  range: PointerRange,
  pointers: readonly FoundPointer[],
): Promise<Result<readonly FoundPointer[], GitFailure>> {
  if (pointers.length === 0) return ok(pointers);
  const beyond = await beyondRefs(repo, range);
  if (!beyond.ok) return beyond;
  const unmerged = pointers.filter(({ blob }) => beyond.value.has(blob));
  const known = new Set<string>();
  for (let at = 0; at < unmerged.length; at += NAMES_AT_ONCE_MAX) {
    const some = unmerged.slice(at, at + NAMES_AT_ONCE_MAX);
    const found = await inHistory(repo.atHub, some, SAVED_BY_WISP);
    if (!found.ok) return found;
    for (const blob of found.value) known.add(blob);
  }
  return ok(unmerged.filter(({ blob }) => !known.has(blob)));
}

/** Small files of the range's commits that no reference of the user's repository leads to; some may be known yet. */
async function beyondRefs(
  { git, atHub }: CloneRepo,
  { to }: PointerRange,
): Promise<Result<ReadonlySet<string>, GitFailure>> {
  const listed = await atHub.must(["for-each-ref", "--format=%(objectname) %(refname)"]);
  if (!listed.ok) return listed;
  const tips = linesOf(listed.value).filter((line) => !line.includes(" refs/wisp/rescue/"));
  const excluded = tips.map((line) => `^${line.slice(0, line.indexOf(" "))}\n`);
  const filter = `--filter=blob:limit=${String(LFS_POINTER_BYTES_MAX + 1)}`;
  const args = ["rev-list", "--objects", "--no-object-names", filter];
  const stdin = `${to}\n${[...new Set(excluded)].join("")}`;
  const printed = await git.must([...args, "--ignore-missing", "--stdin"], { stdin });
  return printed.ok ? ok(new Set(linesOf(printed.value))) : printed;
}

const SAVED_BY_WISP = ["refs/wisp/rescue/*"];

/**
 * Of these pointers, the files that a commit of the user's repository has.
 *
 * @param git in that repository
 * @param excluding patterns of references that do not count
 */
export async function inHistory(
  git: Git,
  pointers: readonly FoundPointer[],
  excluding: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const stdin = pointers.map(({ blob }) => `${blob}\n`).join("");
  const printed = await git.must(["cat-file", "--batch-check=%(objectname)"], { stdin });
  if (!printed.ok) return printed;
  const there = linesOf(printed.value).filter((line) => !line.includes(" "));
  if (there.length === 0) return ok([]);
  const named = there.map((blob) => `--find-object=${blob}`);
  const refs = [...excluding.map((pattern) => `--exclude=${pattern}`), "--all"];
  const shown = ["-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--format="];
  const changes = await git.must(["log", ...shown, ...named, ...refs]);
  if (!changes.ok) return changes;
  return ok(there.filter((blob) => changes.value.includes(` ${blob} `)));
}
