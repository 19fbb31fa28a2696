import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";

/**
 * Keeps a commit under a reference of wisp's own, so that it can be come back to whatever becomes of its
 * branch. Twice is the same as once; a reference that is there is never moved.
 *
 * @param name below `refs/wisp/snapshot/`
 * @returns the reference, and the commit that it holds
 */
export async function keepSnapshot(
  context: Pick<GitContext, "environment">,
  { directory, name, at }: { readonly directory: string; readonly name: string; readonly at: Oid },
): Promise<Result<{ readonly ref: string; readonly at: Oid }, GitFailure>> {
  assertOids(at);
  const ref = `refs/wisp/snapshot/${name}`;
  const git = gitIn(directory, userEnvironment(context.environment, directory));
  const before = await askForRef(git, ref);
  if (before !== undefined) return ok({ ref, at: before });
  const made = await git.must(["update-ref", "-m", "kept by wisp", ref, at, ""]);
  return made.ok ? ok({ ref, at }) : made;
}
