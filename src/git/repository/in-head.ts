import type { Oid } from "../../base/oid.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";

/** Whether what is checked out in the user's work tree holds a commit; false where nothing was committed yet. */
export async function isInHead(
  { environment }: Pick<GitContext, "environment">,
  directory: string,
  commit: Oid,
): Promise<boolean> {
  assertOids(commit);
  const git = gitIn(directory, userEnvironment(environment, directory));
  const asked = await git.run(["merge-base", "--is-ancestor", commit, "HEAD"]);
  return asked.ok && asked.value.exitCode === 0;
}
