import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type Git, type UserContext, userGit } from "./git.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Identity } from "../clone/clone-config.ts";

/**
 * The user's own configuration, outside all repositories, as `git config --list -z` prints it;
 * empty if there is none.
 */
export async function userGitConfig(
  { environment }: UserContext,
  directory: string,
): Promise<Result<string, GitFailure>> {
  const git = userGit({ environment }, directory);
  const listed = await git.run(["config", "--global", "--includes", "--list", "-z"]);
  if (!listed.ok) return listed;
  return ok(listed.value.exitCode === 0 ? listed.value.stdout : "");
}

interface Missing {
  /** The missing settings, under git's names. */
  readonly missing: readonly ("user.name" | "user.email")[];
}

/** The user has not configured an author for commits. */
export const NoIdentity = refusal("no-identity", EXIT.usage, ({ missing }: Missing) => [
  `git does not know whom to name as the author of commits: ${missing.join(" and ")} not set.`,
  "Set them:",
  'git config --global user.name "Your Name"',
  'git config --global user.email "you@example.com"',
]);
export type NoIdentity = ReturnType<typeof NoIdentity>;

/**
 * The user's identity in this repository: from the environment first, then from git's
 * configuration.
 */
export async function effectiveIdentity(
  context: UserContext,
  directory: string,
): Promise<Result<Identity, NoIdentity | GitFailure>> {
  const { environment } = context;
  const git = userGit({ environment }, directory);
  const [name, email] = await Promise.all([
    settingOf(git, environment["GIT_AUTHOR_NAME"], "user.name"),
    settingOf(git, environment["GIT_AUTHOR_EMAIL"], "user.email"),
  ]);
  if (!name.ok) return name;
  if (!email.ok) return email;
  const missing = [
    ...(name.value === "" ? ["user.name" as const] : []),
    ...(email.value === "" ? ["user.email" as const] : []),
  ];
  if (missing.length > 0) return fail(NoIdentity({ missing }));
  return ok({ name: name.value, email: email.value });
}

async function settingOf(
  git: Git,
  fromEnvironment: string | undefined,
  key: string,
): Promise<Result<string, GitFailure>> {
  if (fromEnvironment !== undefined && fromEnvironment !== "") return ok(tidy(fromEnvironment));
  const asked = await git.run(["config", "--get", key]);
  return asked.ok ? ok(tidy(asked.value.stdout)) : asked;
}

/** Removes what would break a commit's author line, as git does. */
function tidy(value: string): string {
  return cleanText(value.replace(/[<>]/gu, ""), { charsMax: 500, lines: "one" });
}
