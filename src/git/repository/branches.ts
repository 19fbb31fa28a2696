import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { askCheckedOut } from "./checked-out.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { gitIn, linesOf, type Git } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";

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
export async function isBranchName(
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
): Promise<boolean> {
  return isValid(gitAt(context, place.directory), place.branch);
}

/** Where a branch was made, and what its log says of it. */
export interface BranchOrigin {
  readonly base: Oid;
  /** One line that nobody else writes. */
  readonly note: string;
}

/** Makes a branch at `base`; the user's checkout and index are not touched. */
export async function createBranch(
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
  { base, note }: BranchOrigin,
): Promise<Result<void, BadBranchName | BranchExists | GitFailure>> {
  assertOids(base);
  const { directory, branch } = place;
  const git = gitAt(context, directory);
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
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
  expected: Oid,
): Promise<Result<boolean, GitFailure>> {
  assertOids(expected);
  const { directory, branch } = place;
  const git = gitAt(context, directory);
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
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
  { base, note }: BranchOrigin,
): Promise<Result<boolean, GitFailure>> {
  const git = gitAt(context, place.directory);
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
  context: Pick<GitContext, "environment">,
  place: BranchPlace,
): Promise<string | undefined> {
  return askCheckedOut(gitAt(context, place.directory), place.branch);
}

function gitAt(context: Pick<GitContext, "environment">, directory: string): Git {
  return gitIn(directory, userEnvironment(context.environment, directory));
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
