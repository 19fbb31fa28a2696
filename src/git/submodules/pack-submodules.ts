import { join } from "node:path";
import { GITMODULES_BYTES_MAX } from "../../base/submodule-limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import type { GitContext } from "../command/git-environment.ts";
import { type Git, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { objectsIn } from "./module-place.ts";
import { linksListed } from "./submodule-links.ts";
import { type FoundSubmodule, walkSubmodules } from "./walk-submodules.ts";

/** A submodule as it is sent elsewhere. */
export interface PackedSubmodule extends Pick<FoundSubmodule, "names" | "commit"> {
  /** A pack with the commit and its files, and nothing of its history. */
  readonly path: string;
}

type Context = Pick<GitContext, "environment" | "files" | "directories">;

/**
 * Packs the submodules of a commit, nested ones too, as far as their files are filled in clones here. Takes one process if
 * there are none, else some for each.
 *
 * @param of the top of the user's work tree, a commit there, and an empty folder for the packs
 */
export async function packSubmodules(
  context: Context,
  of: { readonly directory: string; readonly commit: Oid; readonly scratch: string },
): Promise<Result<readonly PackedSubmodule[], GitFailure>> {
  const { directory, commit, scratch } = of;
  assertOids(commit);
  const git = userGit(context, directory);
  const cut = { cutAtBytes: GITMODULES_BYTES_MAX };
  const text = await git.ask(["cat-file", "blob", `${commit}:.gitmodules`], cut);
  if (text === undefined) return ok([]);
  const words = ["ls-tree", "-r", "-z", "--full-tree", commit];
  const listed = await git.must(words, { encoding: "latin1" });
  if (!listed.ok) return listed;
  const packed: PackedSubmodule[] = [];
  const onFound = async (found: FoundSubmodule): Promise<Result<void, GitFailure>> => {
    const into = join(scratch, String(packed.length));
    const one = await packOne(context, git, { found, into });
    if (one.ok) packed.push({ names: found.names, commit: found.commit, path: one.value });
    return one.ok ? ok(undefined) : one;
  };
  const links = linksListed(listed.value);
  const walked = await walkSubmodules({ git, files: context.files, onFound }, { links, text });
  return walked.ok ? ok(packed) : walked;
}

/** Packs a commit with all of its files. */
async function packOne(
  { files }: Context,
  git: Git,
  { found, into }: { readonly found: FoundSubmodule; readonly into: string },
): Promise<Result<string, GitFailure>> {
  const made = files.makeDirectory(into);
  if (!made.ok) return fail(fileAsGitFailure("submodules", made.failure));
  const variables = objectsIn(found.place);
  const objects = ["rev-list", "--objects", "--no-object-names", "--no-walk", found.commit];
  const listed = await git.must(objects, { variables });
  if (!listed.ok) return listed;
  const words = ["pack-objects", "--quiet", join(into, "pack")];
  const packed = await git.must(words, { variables, stdin: listed.value });
  return packed.ok ? ok(join(into, `pack-${packed.value.trim()}.pack`)) : packed;
}
