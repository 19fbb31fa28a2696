import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { userGit } from "../command/git.ts";
import { askForRef } from "../command/read-ref.ts";
import { linesOf } from "../command/raw-output.ts";
import { branchCheckedOutAt } from "./branches.ts";
import { FETCH_ONLY } from "./fetch-hub.ts";
import { mirrorRef } from "./mirror-ref.ts";

/** A session that runs elsewhere, and where its branch is here. */
export interface MirroredBranch {
  readonly directory: string;
  readonly branch: string;
  /** The id of the session that was started. */
  readonly session: string;
}

/**
 * Takes the commits of a bundle that the place of a session sent: its branch goes to the mirror's ref, its saved work
 * to the refs of the same names. No hook runs, and no other ref, index or work tree is touched.
 */
export async function takeBundle(
  context: GitContext,
  { directory, branch, session }: MirroredBranch,
  path: string,
): Promise<Result<void, GitFailure>> {
  const git = userGit(context, directory);
  const listed = await git.must(["bundle", "list-heads", path]);
  if (!listed.ok) return listed;
  const saved = `refs/wisp/rescue/${session}/`;
  const specs = linesOf(listed.value).flatMap((line) => {
    const ref = line.slice(line.indexOf(" ") + 1);
    if (ref === `refs/heads/${branch}`) return [`+${ref}:${mirrorRef(session)}`];
    return ref.startsWith(saved) && SAFE_REF.test(ref) ? [`+${ref}:${ref}`] : [];
  });
  if (specs.length === 0) return ok(undefined);
  return git.act([...FETCH_ONLY, "--", path, ...specs]);
}

const SAFE_REF = /^refs\/[A-Za-z0-9._/-]+$/u;

/** Why a branch here stays behind its mirror. */
export type BranchWaits = "checked-out" | "diverged";

/**
 * Moves the branch of a session here to where it is elsewhere, if that only adds commits.
 *
 * @returns why it stays, or undefined if it is where the mirror is
 */
export async function followMirror(
  context: GitContext,
  { directory, branch, session }: MirroredBranch,
): Promise<Result<BranchWaits | undefined, GitFailure>> {
  const git = userGit(context, directory);
  const wanted = await askForRef(git, mirrorRef(session));
  if (wanted === undefined || wanted === (await askForRef(git, `refs/heads/${branch}`))) {
    return ok(undefined);
  }
  if ((await branchCheckedOutAt(context, { directory, branch })) !== undefined) {
    return ok("checked-out");
  }
  const spec = `${mirrorRef(session)}:refs/heads/${branch}`;
  const moved = await git.run([...FETCH_ONLY, "--", directory, spec]);
  if (!moved.ok) return moved;
  return ok(moved.value.exitCode === 0 ? undefined : "diverged");
}

/** Up to where the mirror here has a session's branch. */
export function mirrorHead(
  context: GitContext,
  { directory, session }: Pick<MirroredBranch, "directory" | "session">,
): Promise<Oid | undefined> {
  return askForRef(userGit(context, directory), mirrorRef(session));
}
