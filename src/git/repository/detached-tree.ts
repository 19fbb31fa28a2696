import { join } from "node:path";
import type { Directories } from "../../base/ports/directories.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { userGit, type Git, type UserContext } from "../command/git.ts";

const TAKEN = {
  other: "exists, and is no work tree of this repository with a detached HEAD",
  changed: "has changes that are not committed",
  ahead: "has commits that no branch has, or a rebase or bisect that is under way",
} as const;

/** A directory cannot become a work tree, or has something that would be lost. */
export const TreeTaken = refusal(
  "tree-taken",
  EXIT.usage,
  ({
    directory,
    why,
  }: {
    readonly directory: string;
    readonly why: "other" | "changed" | "ahead";
  }) => [
    `${shown(directory)} ${TAKEN[why]}. Nothing was changed.`,
    "Name another directory with --into.",
  ],
);
export type TreeTaken = ReturnType<typeof TreeTaken>;

/** A commit, and where a person wants to have it. */
interface WantedTree {
  /** The top of the person's repository. */
  readonly repository: string;
  readonly head: Oid;
  /** Absolute path of the work tree. */
  readonly directory: string;
}

/**
 * Makes a work tree with a detached HEAD at a commit, which holds no branch up; or moves the one that is there to that
 * commit, if nothing is lost by it. No hook runs: the commit may have brought it.
 *
 * @returns whether it is new
 */
export async function detachedTree(
  context: UserContext & { readonly directories: Directories },
  { repository, head, directory }: WantedTree,
): Promise<Result<boolean, GitFailure | TreeTaken>> {
  const git = userGit(context, repository);
  if (context.directories.kindOf(directory) === undefined) {
    const made = await git.act(["worktree", "add", "--quiet", "--detach", directory, head]);
    return made.ok ? ok(true) : made;
  }
  const listed = await git.must(["worktree", "list", "--porcelain"]);
  if (!listed.ok) return listed;
  const blocks = listed.value.split("\n\n").map((block) => block.split("\n"));
  const own = blocks.find((lines) => lines.includes(`worktree ${directory}`));
  if (own?.includes("detached") !== true) return fail(TreeTaken({ directory, why: "other" }));
  const there = userGit(context, directory);
  const changes = await there.must(["status", "--porcelain", "--untracked-files=no"]);
  if (!changes.ok) return changes;
  if (changes.value !== "") return fail(TreeTaken({ directory, why: "changed" }));
  const isFree = await hasNothingOfItsOwn(context, there, head);
  if (!isFree.ok) return isFree;
  if (!isFree.value) return fail(TreeTaken({ directory, why: "ahead" }));
  // git refuses to replace files that no commit has.
  const words = ["checkout", "--quiet", "--no-overwrite-ignore", "--detach", head];
  const moved = await there.act(words);
  return moved.ok ? ok(false) : moved;
}

/** Whether some reference, or the commit to come, has all that the HEAD of a work tree has, and nothing is under way. */
async function hasNothingOfItsOwn(
  { directories }: { readonly directories: Directories },
  there: Git,
  head: Oid,
): Promise<Result<boolean, GitFailure>> {
  const own = await there.must(["rev-parse", "--absolute-git-dir"]);
  if (!own.ok) return own;
  const isUnderWay = UNDER_WAY.some((name) => directories.kindOf(join(own.value.trim(), name)));
  // Not `--all`, to which the HEAD of the work tree itself belongs.
  const kept = ["--branches", "--tags", "--remotes", "--glob=refs/wisp"];
  const lonely = await there.must(["rev-list", "-n1", "HEAD", "--not", ...kept, head]);
  return lonely.ok ? ok(!isUnderWay && lonely.value.trim() === "") : lonely;
}

const UNDER_WAY = ["rebase-merge", "rebase-apply", "BISECT_LOG", "MERGE_HEAD", "CHERRY_PICK_HEAD"];
