import { dirname, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { readText, type GitDirectory } from "../command/git-directory.ts";
import type { Git } from "../command/git.ts";

/**
 * The work tree in which a branch is checked out, or in the midst of a rebase; `undefined` when there
 * is none. Read from files, because it is asked before every publish: git before 2.35 looks at one
 * work tree only, and would move a branch under the feet of another.
 */
export function checkedOutAt(files: Files, at: GitDirectory, branch: string): string | undefined {
  const linked = files.list(join(at.commonDirectory, "worktrees"));
  const names = linked.ok ? linked.value : [];
  const trees = [
    { git: at.commonDirectory, top: dirname(at.commonDirectory) },
    ...names.map((name) => linkedTree(files, join(at.commonDirectory, "worktrees", name))),
  ];
  return trees.find(({ git }) => isOnBranch(files, git, `refs/heads/${branch}`))?.top;
}

/**
 * Asks git where a branch is checked out: for repositories whose references are not files, and after
 * a refusal. Paths are taken as git prints them, so one with a line break comes out cut: it is shown
 * to people and used for nothing else.
 */
export async function askCheckedOut(git: Git, branch: string): Promise<string | undefined> {
  const printed = await git.must(["worktree", "list", "--porcelain"]);
  if (!printed.ok) return undefined;
  const blocks = printed.value.split("\n\n").map((block) => block.split("\n"));
  const block = blocks.find((lines) => lines.includes(`branch refs/heads/${branch}`));
  return block?.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
}

function linkedTree(files: Files, git: string): { readonly git: string; readonly top: string } {
  const dotGit = readText(files, join(git, "gitdir"))?.trimEnd();
  return { git, top: dotGit === undefined ? git : dirname(dotGit) };
}

function isOnBranch(files: Files, git: string, ref: string): boolean {
  if (readText(files, join(git, "HEAD"))?.trimEnd() === `ref: ${ref}`) return true;
  // A rebase detaches HEAD and puts the branch back at its end.
  return ["rebase-merge", "rebase-apply"].some(
    (state) => readText(files, join(git, state, "head-name"))?.trimEnd() === ref,
  );
}
