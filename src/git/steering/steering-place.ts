import { join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { restoreClone } from "../clone/restore-clone.ts";
import type { WorkPlace } from "../clone/turn-changes.ts";
import { cloneEnvironment, type GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { gitIn, type Git, guardedGit } from "../command/git.ts";

/** A clone whose files that steer agents are, or were, those of another commit. */
export interface SteeredClone {
  readonly context: GitContext;
  /** The top of the clone's work tree. */
  readonly directory: string;
  /** git in it, after what wisp controls of its `.git` was restored. */
  readonly git: Git;
  /** Restores that. */
  readonly restore: () => Result<void, GitFailure>;
  /** The configuration that wisp wrote. */
  readonly config: string;
}

/** Opens a clone that wisp made. */
export function steeredClone(
  context: GitContext,
  { directory, hub }: WorkPlace,
): Result<SteeredClone, GitFailure> {
  const read = context.files.read(`${directory}.config`);
  if (!read.ok) return fail(fileAsGitFailure("open", read.failure));
  if (read.value === undefined)
    return fail(gitFailure("open", directory, "it is no clone of wisp's"));
  const config = Buffer.from(read.value).toString("utf8");
  const restore = () => restoreClone(context, directory, { config, hub });
  const git = guardedGit(
    gitIn(directory, cloneEnvironment(context.environment, directory)),
    restore,
  );
  return ok({ context, directory, git, restore, config });
}

/** The folder beside a clone, where nothing that runs in it can write, for what belongs to this. */
export function steeringFolder(directory: string): string {
  return `${directory}.steering`;
}

/** Whether the folders above a path are folders of the clone, and no links that lead elsewhere. */
export function isReached(
  { context, directory }: Pick<SteeredClone, "context" | "directory">,
  path: string,
): boolean {
  const names = path.split("/").slice(0, -1);
  return names.every((_, at) => {
    const folder = join(directory, ...names.slice(0, at + 1));
    return context.directories.kindOf(folder) === "directory";
  });
}
