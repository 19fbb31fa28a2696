import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { linesOf } from "../command/raw-output.ts";
import { askForRef } from "../command/read-ref.ts";

/**
 * The ref at which the branch of a session that runs elsewhere is kept as it is there.
 *
 * @param session the id of the session that was started, never that of a revision
 */
export function mirrorRef(session: string): string {
  return `refs/wisp/mirror/${session}`;
}

/** Removes that ref of a session that has ended, if another reference leads to its commit. Idempotent. */
export async function forgetMirror(
  context: UserContext,
  { directory, session }: { readonly directory: string; readonly session: string },
): Promise<Result<void, GitFailure>> {
  const git = userGit(context, directory);
  const ref = mirrorRef(session);
  const head = await askForRef(git, ref);
  if (head === undefined) return ok(undefined);
  const words = ["for-each-ref", "--count=2", "--format=%(refname)", `--contains=${head}`];
  const held = await git.must(words);
  if (!held.ok || linesOf(held.value).length < 2) return held.ok ? ok(undefined) : held;
  return git.act(["update-ref", "--no-deref", "-d", ref, head]);
}
