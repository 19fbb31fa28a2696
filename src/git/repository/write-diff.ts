import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { gitIn } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";

/** What is compared, and where the result goes. */
export interface DiffFile {
  readonly from: Oid;
  readonly to: Oid;
  /** Absolute; replaced where it is there. */
  readonly path: string;
}

/** Writes what `to` changes since it parted from `from`, as a unified diff, into a file. */
export async function writeDiff(
  context: Pick<GitContext, "environment" | "directories">,
  directory: string,
  { from, to, path }: DiffFile,
): Promise<Result<void, GitFailure>> {
  assertOids(from, to);
  const git = gitIn(directory, userEnvironment(context.environment, directory));
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=3"];
  // An engine can write to this folder. Git would write through a link that it planted there.
  const removed = context.directories.removeTree(path);
  if (!removed.ok) return fail(fileAsGitFailure("diff", removed.failure));
  const ran = await git.must(["diff", ...options, `--output=${path}`, `${from}...${to}`, "--"]);
  return ran.ok ? ok(undefined) : ran;
}
