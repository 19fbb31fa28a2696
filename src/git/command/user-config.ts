import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { userEnvironment, type GitContext } from "./git-environment.ts";
import { gitIn } from "./git.ts";

/**
 * The person's own configuration, outside all repositories, as `git config --list -z` prints it; empty where
 * there is none.
 */
export async function userGitConfig(
  { environment }: Pick<GitContext, "environment">,
  directory: string,
): Promise<Result<string, GitFailure>> {
  const variables = Object.entries(environment).filter(([name]) => name === "GIT_CONFIG_GLOBAL");
  const env = { ...userEnvironment(environment, directory), ...Object.fromEntries(variables) };
  const git = gitIn(directory, env);
  const listed = await git.run(["config", "--global", "--includes", "--list", "-z"]);
  if (!listed.ok) return listed;
  return ok(listed.value.exitCode === 0 ? listed.value.stdout : "");
}
