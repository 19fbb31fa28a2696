import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";
import { linesOf } from "../command/raw-output.ts";
import { dirname, join, resolve } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { type GitDirectory, readText } from "../command/git-directory.ts";

interface Named {
  readonly branch: string;
}

/** git does not accept this as the name of a branch. */
export const BadBranchName = refusal("bad-branch-name", EXIT.usage, ({ branch }: Named) => [
  `git does not accept '${shown(branch)}' as a branch name.`,
  "Choose another with --branch, such as feature/invoices.",
]);
export type BadBranchName = ReturnType<typeof BadBranchName>;

interface Existing extends Named {
  /** The requested name, if `branch` is another one that merely blocks it. */
  readonly wanted?: string | undefined;
}

/** The branch exists, or blocks the requested name. */
export const BranchExists = refusal("branch-exists", EXIT.usage, ({ branch, wanted }: Existing) =>
  wanted === undefined
    ? [
        `There is a branch '${shown(branch)}' already, and a session needs one of its own.`,
        "Choose another with --branch, or omit --branch to have one made for the session.",
      ]
    : [
        `git cannot keep a branch '${shown(wanted)}' beside the branch '${shown(branch)}'.`,
        "Choose a name for the session that does not begin with that of another branch, or rename that branch:",
        `wisp start <request.md> --branch feature/${shellWord(wanted.split("/").at(-1) ?? "")}`,
        `git branch -m ${shellWord(branch)} <name>`,
      ],
);
export type BranchExists = ReturnType<typeof BranchExists>;

/** A branch in a repository. */
export interface BranchPlace {
  readonly directory: string;
  readonly branch: string;
}

/**
 * Whether git accepts `branch` as a name. It accepts `a;touch${IFS}x`, quotes, pipes and backticks, so a valid name
 * is still hostile text everywhere but in an argument vector.
 */
export async function isBranchName(context: UserContext, place: BranchPlace): Promise<boolean> {
  return isValid(userGit(context, place.directory), place.branch);
}

/** The commit at which a branch was created, and the first entry of its reflog. */
export interface BranchOrigin {
  readonly base: Oid;
  /** One line that nothing else writes. */
  readonly note: string;
}

/** Creates a branch at `base`, without touching the user's checkout or index. */
export async function createBranch(
  context: UserContext,
  place: BranchPlace,
  { base, note }: BranchOrigin,
): Promise<Result<void, BadBranchName | BranchExists | GitFailure>> {
  assertOids(base);
  const { directory, branch } = place;
  const git = userGit(context, directory);
  if (!(await isValid(git, branch))) return fail(BadBranchName({ branch }));
  // The empty old value means that the branch must not exist. The reflog is written together with it.
  const options = ["--create-reflog", "-m", note];
  const made = await git.run(["update-ref", ...options, `refs/heads/${branch}`, base, ""]);
  if (!made.ok) return made;
  if (made.value.exitCode === 0) return ok(undefined);
  const inTheWay = await branchInTheWay(git, branch);
  if (inTheWay !== undefined) return fail(branchExists(inTheWay, branch));
  return fail(gitFailure("branch", directory, made.value.stderr));
}

/** The failure to create `branch` that an existing branch is in the way of; undefined if none is. */
export async function takenBy(
  context: UserContext,
  { directory, branch }: BranchPlace,
): Promise<BranchExists | undefined> {
  const inTheWay = await branchInTheWay(userGit(context, directory), branch);
  return inTheWay === undefined ? undefined : branchExists(inTheWay, branch);
}

function branchExists(branch: string, wanted: string): BranchExists {
  return BranchExists(branch === wanted ? { branch } : { branch, wanted });
}

/** Undoes `createBranch`: removes the branch if it is still at `expected`; returns false otherwise. */
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
 * Removes a branch that was created with this origin and has not been used since: its reflog has a single entry,
 * with the note, and no work tree has it checked out. Any other branch of that name stays.
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
  // Either the branch does not exist or it has no reflog: it is not the one that was created.
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

/** Names that every git accepts, among them all that are made from a request: it need not be asked. */
const PLAIN_NAME = /^[a-z0-9]+(?:[/-][a-z0-9]+)*$/u;

async function isValid(git: Git, branch: string): Promise<boolean> {
  // An argument cannot contain a NUL, and git reads "@" as HEAD wherever a commit is named.
  if (branch.includes("\0") || branch === "@") return false;
  if (PLAIN_NAME.test(branch)) return true;
  const checked = await git.run(["check-ref-format", "--branch", branch]);
  // git also expands `@{-1}`, which is a shorthand and not a name.
  return checked.ok && checked.value.exitCode === 0 && checked.value.stdout === `${branch}\n`;
}

/** Branches `a` and `a/b` cannot coexist: one would be a file where the other needs a directory. */
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
 * The work tree in which a branch is checked out, being rebased or bisected; `undefined` if there is none. Read from
 * files, because this is checked before every publish: `git update-ref` checks nothing, and a fetch by git before 2.35
 * checks only one work tree.
 *
 * @param called the work tree in which wisp was called, whose git directory is `at`
 */
export function checkedOutAt(
  files: Files,
  { at, called }: { readonly at: GitDirectory; readonly called: string },
  branch: string,
): string | undefined {
  const linked = files.list(join(at.commonDirectory, "worktrees"));
  const names = linked.ok ? linked.value : [];
  const trees = [
    { git: at.commonDirectory, top: isMain(at) ? called : dirname(at.commonDirectory) },
    ...names.map((name) => linkedTree(files, join(at.commonDirectory, "worktrees", name))),
  ];
  return trees.find(({ git }) => isOnBranch(files, git, `refs/heads/${branch}`))?.top;
}

/**
 * Asks git where a branch is checked out: for repositories that do not keep references in files, and after a
 * refusal. Paths are used as git prints them, so one with a line break is cut short; it is only displayed.
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
  // Relative to its own folder since git 2.48, if the person wishes so.
  return { git, top: dotGit === undefined ? git : dirname(resolve(git, dotGit)) };
}

/** Only then is the folder of the main work tree known: its git directory may be anywhere. */
function isMain({ gitDirectory, commonDirectory }: GitDirectory): boolean {
  return gitDirectory === commonDirectory;
}

function isOnBranch(files: Files, git: string, ref: string): boolean {
  const linesIn = (...path: readonly string[]) =>
    readText(files, join(git, ...path))
      ?.trimEnd()
      .split("\n") ?? [];
  return (
    linesIn("HEAD")[0] === `ref: ${ref}` ||
    // A rebase detaches HEAD, and moves the branch, and others if asked to, at its end.
    linesIn("rebase-merge", "head-name")[0] === ref ||
    linesIn("rebase-apply", "head-name")[0] === ref ||
    linesIn("rebase-merge", "update-refs").includes(ref) ||
    // A bisection returns to the branch.
    `refs/heads/${linesIn("BISECT_START")[0] ?? ""}` === ref
  );
}
