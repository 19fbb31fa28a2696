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
  const specs = linesOf(listed.value).flatMap((line) => {
    const ref = line.slice(line.indexOf(" ") + 1);
    const own = refHere({ branch, session }, ref);
    return own === undefined ? [] : [`+${ref}:${own}`];
  });
  if (specs.length === 0) return ok(undefined);
  return git.act([...FETCH_ONLY, "--", path, ...specs]);
}

/**
 * Puts the mirror's refs where they are at the place of a session, all of whose commits must be here; a bundle cannot
 * say that of a ref that brings no new commit. Other refs are ignored. Does nothing if all are where they should be.
 */
export async function placeRefs(
  context: GitContext,
  { directory, branch, session }: MirroredBranch,
  refs: readonly { readonly ref: string; readonly oid: Oid }[],
): Promise<Result<void, GitFailure>> {
  const git = userGit(context, directory);
  const moved: { readonly ref: string; readonly oid: Oid }[] = [];
  for (const { ref, oid } of refs) {
    const own = refHere({ branch, session }, ref);
    if (own === undefined || (await askForRef(git, own)) === oid) continue;
    moved.push({ ref: own, oid });
  }
  if (moved.length === 0) return ok(undefined);
  // What any ref here leads to is not looked at: only what is missing, or is no commit, makes this fail.
  const commits = moved.map(({ oid }) => `${oid}^{commit}`);
  const whole = await git.act(["rev-list", "--quiet", "--objects", ...commits, "--not", "--all"]);
  if (!whole.ok) return whole;
  const stdin = moved.map(({ ref, oid }) => `update ${ref} ${oid}\n`).join("");
  return git.act(["update-ref", "--no-deref", "--stdin"], { stdin });
}

/** Where a ref of a place is kept here; undefined if it is not one of the session's. */
function refHere(
  { branch, session }: Pick<MirroredBranch, "branch" | "session">,
  ref: string,
): string | undefined {
  if (ref === `refs/heads/${branch}`) return mirrorRef(session);
  const isSaved = ref.startsWith(`refs/wisp/rescue/${session}/`);
  return isSaved && SAFE_REF.test(ref) ? ref : undefined;
}

/** What git takes for a name and nothing else; that it is a valid one is left to git. */
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

/** Up to where the mirror here has a session's branch; before it has anything, where the branch itself is. */
export async function mirrorHead(
  context: GitContext,
  { directory, branch, session }: MirroredBranch,
): Promise<Oid | undefined> {
  const git = userGit(context, directory);
  const head = await askForRef(git, mirrorRef(session));
  return head ?? askForRef(git, `refs/heads/${branch}`);
}
