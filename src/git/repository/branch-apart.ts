import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { locateGitDirectory, type GitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, userGit } from "../command/git.ts";
import { askForRef, readRef } from "../command/read-ref.ts";
import { branchCheckedOutAt } from "./branches.ts";
import type { MirroredBranch } from "./mirror-branch.ts";
import { mirrorRef } from "./mirror-ref.ts";

/** Where the branch of a session is here and elsewhere, and how the two relate. */
export interface BranchApart {
  readonly here: Oid | undefined;
  /** As the mirror has it; undefined: nothing is known of it yet. */
  readonly there: Oid | undefined;
  /** How the branch here stands to the one there; `apart`: each has commits that the other lacks. */
  readonly relation: "same" | "behind" | "ahead" | "apart";
  /** Whether the branch there has lost commits that both had; told only if the branch here is ahead. */
  readonly isSetBack: boolean;
  /** Whether a work tree here has the branch; told only if it is behind. */
  readonly isCheckedOut: boolean;
}

/**
 * Reads how far a session's branch here and the one elsewhere are apart. Starts no process if they are the same.
 *
 * @param agreed the commit at which both were last the same, if that is known
 */
export async function readBranchApart(
  context: GitContext,
  of: MirroredBranch,
  agreed: Oid | undefined,
): Promise<Result<BranchApart, GitFailure>> {
  const { directory, branch, session } = of;
  const git = userGit(context, directory);
  const located = locateGitDirectory(context.files, directory);
  const refAt = (ref: string) => oidOf(context, { git, located }, ref);
  const here = await refAt(`refs/heads/${branch}`);
  const there = await refAt(mirrorRef(session));
  const nothing = { here, there, isSetBack: false, isCheckedOut: false };
  if (there === undefined || here === there) return ok({ ...nothing, relation: "same" });
  const isBehind = here === undefined ? ok(true) : await isContained(git, here, there);
  if (!isBehind.ok) return isBehind;
  if (isBehind.value) {
    const isCheckedOut = (await branchCheckedOutAt(context, of)) !== undefined;
    return ok({ ...nothing, isCheckedOut, relation: "behind" });
  }
  const isAhead = here === undefined ? ok(false) : await isContained(git, there, here);
  if (!isAhead.ok) return isAhead;
  if (!isAhead.value) return ok({ ...nothing, relation: "apart" });
  const isKept = agreed === undefined ? ok(true) : await isContained(git, agreed, there);
  // A commit that is gone here was in neither.
  return ok({ ...nothing, relation: "ahead", isSetBack: !isKept.ok || !isKept.value });
}

/** Whether a branch at `whole` has everything that one at `part` has. Fails if git cannot tell. */
export async function isContained(
  git: Git,
  part: Oid,
  whole: Oid,
): Promise<Result<boolean, GitFailure>> {
  if (part === whole) return ok(true);
  const asked = await git.run(["merge-base", "--is-ancestor", part, whole]);
  if (!asked.ok) return asked;
  const { exitCode, stderr } = asked.value;
  if (exitCode === 0 || exitCode === 1) return ok(exitCode === 0);
  return { ok: false, failure: gitFailure("merge-base", git.directory, stderr) };
}

async function oidOf(
  { files }: GitContext,
  { git, located }: { readonly git: Git; readonly located: GitDirectory | undefined },
  ref: string,
): Promise<Oid | undefined> {
  const read = located && readRef(files, located, ref);
  if (read?.kind === "found") return read.oid;
  return read?.kind === "absent" ? undefined : askForRef(git, ref);
}
