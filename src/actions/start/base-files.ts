import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";

/** Size limit for files that detection reads; of lock files only the first lines matter. */
const READ_NAMES: readonly string[] = [
  "package.json",
  "yarn.lock",
  "GNUmakefile",
  "makefile",
  "Makefile",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "Pipfile",
  "requirements.txt",
  "requirements-dev.txt",
];

/**
 * The root folder of the repository at HEAD, where a session begins, whatever the work tree holds.
 */
export async function baseFiles(
  env: Environment,
  { directory, head }: Repository,
): Promise<Result<RootFiles, GitFailure>> {
  const git = gitIn(directory, userEnvironment(env, directory));
  const listed = await git.must(["ls-tree", "-z", "--full-tree", "--name-only", head]);
  if (!listed.ok) return listed;
  const names = new Set(listed.value.split("\0").filter((name) => name !== ""));
  const texts = new Map<string, string>();
  for (const name of READ_NAMES.filter((wanted) => names.has(wanted))) {
    const shown = await git.run(["cat-file", "blob", `${head}:${name}`]);
    // A folder of that name has no text.
    if (shown.ok && shown.value.exitCode === 0) texts.set(name, shown.value.stdout);
  }
  return ok({ names, read: (name) => texts.get(name) });
}
