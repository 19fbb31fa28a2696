import type { Directories } from "../../base/ports/directories.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { userGit, type UserContext } from "../command/git.ts";

/** A directory cannot become a work tree, or has something that would be lost. */
export const TreeTaken = refusal(
  "tree-taken",
  EXIT.usage,
  ({ directory, why }: { readonly directory: string; readonly why: "other" | "changed" }) => [
    why === "other"
      ? `${shown(directory)} exists, and is no work tree of this repository with a detached HEAD. Nothing was changed.`
      : `${shown(directory)} has changes that are not committed. Nothing was changed.`,
    why === "other"
      ? "Name another directory with --into."
      : "Commit or remove them there, or name another directory with --into.",
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
  // git itself leaves untracked files alone that the commit would replace, and refuses.
  const moved = await there.act(["checkout", "--quiet", "--detach", head]);
  return moved.ok ? ok(false) : moved;
}
