import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { gitIn } from "../command/git.ts";

/** Two files, by absolute paths, which need not be in any repository. */
export interface FilePair {
  readonly before: string;
  readonly after: string;
}

/** What differs between two files, as a unified diff; "" where nothing does. */
export async function diffFiles(
  context: Pick<GitContext, "environment">,
  directory: string,
  { before, after }: FilePair,
): Promise<Result<string, GitFailure>> {
  const git = gitIn(directory, userEnvironment(context.environment, directory));
  const options = ["--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=3"];
  const ran = await git.run(["diff", ...options, "--", before, after]);
  if (!ran.ok) return ran;
  const { exitCode, stdout, stderr } = ran.value;
  // 1 says that they differ.
  if (exitCode <= 1) return ok(stdout);
  return fail(gitFailure("diff", directory, stderr));
}
