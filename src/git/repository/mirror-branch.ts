import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";
import { linesOf } from "../command/raw-output.ts";
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

/**
 * Moves the branch of a session here to where it is elsewhere. git refuses if that does anything but add commits, or if
 * a work tree here has the branch.
 */
export function followMirror(
  context: GitContext,
  { directory, branch, session }: MirroredBranch,
): Promise<Result<void, GitFailure>> {
  const spec = `${mirrorRef(session)}:refs/heads/${branch}`;
  return userGit(context, directory).act([...FETCH_ONLY, "--", directory, spec]);
}

/**
 * Puts the commits of a session's branch here that come after `from` into a bundle; returns where the branch was then.
 */
export async function bundleAfter(
  context: GitContext,
  { directory, branch }: Pick<MirroredBranch, "directory" | "branch">,
  { from, path }: { readonly from: Oid; readonly path: string },
): Promise<Result<Oid, GitFailure>> {
  assertOids(from);
  const git = userGit(context, directory);
  const ref = `refs/heads/${branch}`;
  const made = await git.act(["bundle", "create", "--quiet", path, ref, `^${from}`]);
  if (!made.ok) return made;
  const heads = await git.must(["bundle", "list-heads", path, ref]);
  if (!heads.ok) return heads;
  const at = Oid.safeParse(heads.value.split(" ")[0]);
  return at.success ? ok(at.data) : fail(gitFailure("bundle", directory, "it has no branch"));
}

/**
 * Notes that the branch of a session is at `to` elsewhere, unless the mirror has heard something else since it was at
 * `from`.
 */
export async function noteSent(
  context: GitContext,
  { directory, session }: Pick<MirroredBranch, "directory" | "session">,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<void> {
  const git = userGit(context, directory);
  // If that fails, the place tells it again.
  await git.run(["update-ref", "--no-deref", mirrorRef(session), to, from]);
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
