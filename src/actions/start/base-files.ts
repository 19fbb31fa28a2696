import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { DETECTED_FROM, type RootFiles } from "../../settings/detect/root-files.ts";

/** The root folder, and the names in one other folder. */
export interface BaseFiles extends RootFiles {
  /** Empty if there is no such folder. */
  readonly namesInFolder: readonly string[];
}

/**
 * The root folder of the repository at HEAD, where a session begins, whatever the work tree holds.
 *
 * @param folder another folder to list, relative to the root and empty for the root itself
 */
export async function baseFiles(
  env: Environment,
  { directory, head }: Pick<Repository, "directory" | "head">,
  folder?: string,
): Promise<Result<BaseFiles, GitFailure>> {
  const git = gitIn(directory, userEnvironment(env, directory));
  const listed = await git.must(["ls-tree", "-z", "--full-tree", "--name-only", head]);
  if (!listed.ok) return listed;
  const names = new Set(listed.value.split("\0").filter((name) => name !== ""));
  const texts = new Map<string, string>();
  for (const name of DETECTED_FROM.filter((wanted) => names.has(wanted))) {
    const shown = await git.run(["cat-file", "blob", `${head}:${name}`]);
    // A folder of that name has no text.
    if (shown.ok && shown.value.exitCode === 0) texts.set(name, shown.value.stdout);
  }
  const other =
    folder === undefined
      ? undefined
      : await git.run(["ls-tree", "-z", "--name-only", `${head}:${folder}`]);
  const isListed = other?.ok === true && other.value.exitCode === 0;
  const namesInFolder = isListed ? other.value.stdout.split("\0") : [];
  return ok({ names, read: (name) => texts.get(name), namesInFolder });
}
