import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { isAncestor } from "../clone/clone-repo.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn, linesOf } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";

/** Which of these commits a repository has, on whatever branch or on none; one process for all. */
export async function knownCommits(
  context: Pick<GitContext, "environment">,
  directory: string,
  oids: readonly Oid[],
): Promise<Result<ReadonlySet<Oid>, GitFailure>> {
  if (oids.length === 0) return ok(new Set());
  assertOids(...oids);
  const git = gitIn(directory, userEnvironment(context.environment, directory));
  const stdin = oids.map((oid) => `${oid}\n`).join("");
  const printed = await git.must(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    stdin,
  });
  if (!printed.ok) return printed;
  const commits = linesOf(printed.value)
    .filter((line) => line.endsWith(" commit"))
    .map((line) => line.slice(0, -" commit".length));
  return ok(new Set(commits));
}

/** Whether `ancestor` is `head` or lies behind it; false as well when either is not there. */
export function liesBehind(
  context: Pick<GitContext, "environment">,
  directory: string,
  ancestor: Oid,
  head: Oid,
): Promise<boolean> {
  assertOids(ancestor, head);
  return isAncestor(
    gitIn(directory, userEnvironment(context.environment, directory)),
    ancestor,
    head,
  );
}
