import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { SUBMODULES_DEPTH_MAX } from "../../base/submodule-limits.ts";
import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { userGit } from "../command/git.ts";
import { isSafeName } from "./submodule-names.ts";

/** A submodule whose pack was sent: which one it is. */
export const SentSubmodule = lateObject(() => ({
  /** As `FoundSubmodule` has them. */
  names: z.array(z.string().refine(isSafeName)).min(1).max(SUBMODULES_DEPTH_MAX),
  commit: Oid,
}));
export type SentSubmodule = z.infer<typeof SentSubmodule>;

/**
 * Makes the repository of a submodule from its pack, below `modules` of the repository that it belongs to, where git
 * keeps it, too.
 *
 * @param path of the pack, on the same file system; it is moved
 */
export async function takeSubmodule(
  context: Pick<GitContext, "environment" | "files" | "directories">,
  directory: string,
  { sent, path }: { readonly sent: SentSubmodule; readonly path: string },
): Promise<Result<void, GitFailure>> {
  const located = locateGitDirectory(context.files, directory);
  if (located === undefined) {
    return fail(gitFailure("submodules", directory, "its git directory is not found"));
  }
  const own = join(located.commonDirectory, ...sent.names.flatMap((name) => ["modules", name]));
  const git = userGit(context, directory);
  const format = sent.commit.length === 64 ? "sha256" : "sha1";
  const kind = ["--bare", `--object-format=${format}`, "--template="];
  const made = await git.act(["init", "--quiet", ...kind, own]);
  if (!made.ok) return made;
  const pack = join(own, "objects", "pack", `pack-${sent.commit}.pack`);
  const moved = context.directories.move(path, pack);
  if (!moved.ok) return fail(fileAsGitFailure("submodules", moved.failure));
  return git.act(["index-pack", `--object-format=${format}`, pack]);
}
