import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";
import { linesOf } from "../command/raw-output.ts";
import { dirname, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { type GitDirectory, readText } from "../command/git-directory.ts";

interface Named {
  readonly branch: string;
}

/** git would not take this as the name of a branch. */
export const BadBranchName = refusal("bad-branch-name", EXIT.usage, ({ branch }: Named) => [
  `git does not take '${shown(branch)}' as the name of a branch.`,
  "Choose another with --branch, such as feature/invoices.",
]);
export type BadBranchName = ReturnType<typeof BadBranchName>;

/** There is one already; `branch` differs from the wanted name where that one stands in its way. */
export const BranchExists = refusal("branch-exists", EXIT.usage, ({ branch }: Named) => [
  `There is a branch '${shown(branch)}' already, and a session needs one of its own.`,
  "Choose another with --branch, or leave it out: then one is made for the session.",
]);
export type BranchExists = ReturnType<typeof BranchExists>;

/** Which branch of which repository. */
export interface BranchPlace {
  readonly directory: string;
  readonly branch: string;
}

/**
 * Whether git takes `branch` as a name. It takes `a;touch${IFS}x`, quotes, pipes and backticks, so a
 * valid name is still hostile text to everything but an argument vector.
 */
export async function isBranchName(context: UserContext, place: BranchPlace): Promise<boolean> {
  return isValid(userGit(context, place.directory), place.branch);
}

/** Where a branch was made, and what its log says of it. */
export interface BranchOrigin {
  readonly base: Oid;
  /** One line that nobody else writes. */
  readonly note: string;
}

/** Makes a branch at `base`; the user's checkout and index are not touched. */
export async function createBranch(
  context: UserContext,
  place: BranchPlace,
  { base, note }: BranchOrigin,
): Promise<Result<void, BadBranchName | BranchExists | GitFailure>> {
  assertOids(base);
  const { directory, branch } = place;
  const git = userGit(context, directory);
  if (!(await isValid(git, branch))) return fail(BadBranchName({ branch }));
  // An empty old value: it must not exist yet. The log is written together with the branch.
  const options = ["--create-reflog", "-m", note];
  const made = await git.run(["update-ref", ...options, `refs/heads/${branch}`, base, ""]);
  if (!made.ok) return made;
  if (made.value.exitCode === 0) return ok(undefined);
  const inTheWay = await branchInTheWay(git, branch);
  if (inTheWay !== undefined) return fail(BranchExists({ branch: inTheWay }));
  return fail(gitFailure("branch", directory, made.value.stderr));
}

/** Undoes `createBranch`: removes the branch if it is still at `expected`; false when it is not. */
export async function deleteBranch(
  context: UserContext,
  place: BranchPlace,
  expected: Oid,
): Promise<Result<boolean, GitFailure>> {
  assertOids(expected);
  const { directory, branch } = place;
  const git = userGit(context, directory);
  const ref = `refs/heads/${branch}`;
  const removed = await git.run(["update-ref", "-d", ref, expected]);
  if (!removed.ok) return removed;
  if (removed.value.exitCode === 0) return ok(true);
  const now = await askForRef(git, ref);
  return now === expected ? fail(gitFailure("branch", directory, removed.value.stderr)) : ok(false);
}

/**
 * Removes a branch that was made with this origin and that nobody has used since: its log has one entry,
 * with the note, and no work tree has it checked out. Any other branch of the name stays.
 */
export async function deleteUntouchedBranch(
  context: UserContext,
  place: BranchPlace,
  { base, note }: BranchOrigin,
): Promise<Result<boolean, GitFailure>> {
  const git = userGit(context, place.directory);
  const log = ["log", "-g", "-n", "2", "--format=%H %gs", `refs/heads/${place.branch}`, "--"];
  const entries = await git.run(log);
  if (!entries.ok) return entries;
  // No such branch, or one without a log: neither is what was made.
  if (entries.value.stdout !== `${base} ${note}\n`) return ok(false);
  if ((await branchCheckedOutAt(context, place)) !== undefined) return ok(false);
  return deleteBranch(context, place, base);
}

/** The work tree in which the branch is checked out, if any. */
export function branchCheckedOutAt(
  context: UserContext,
  place: BranchPlace,
): Promise<string | undefined> {
  return askCheckedOut(userGit(context, place.directory), place.branch);
}

async function isValid(git: Git, branch: string): Promise<boolean> {
  // A NUL cannot be in an argument at all, and "@" is short for HEAD wherever a commit is named.
  if (branch.includes("\0") || branch === "@") return false;
  const checked = await git.run(["check-ref-format", "--branch", branch]);
  // It also expands `@{-1}`, which is no name but a way of saying one.
  return checked.ok && checked.value.exitCode === 0 && checked.value.stdout === `${branch}\n`;
}

/** A branch `a` and a branch `a/b` cannot both be: one would be a file where the other is a directory. */
async function branchInTheWay(git: Git, branch: string): Promise<string | undefined> {
  const parts = branch.split("/");
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join("/");
    if ((await askForRef(git, `refs/heads/${name}`)) !== undefined) return name;
  }
  const below = ["for-each-ref", "--count=1", "--format=%(refname:lstrip=2)"];
  const listed = await git.must([...below, `refs/heads/${branch}/`]);
  return listed.ok ? linesOf(listed.value)[0] : undefined;
}

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
