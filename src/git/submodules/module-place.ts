import { join } from "node:path";
import type { Environment } from "../../base/ports/processes.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";

type Context = Pick<GitContext, "files">;

/** Where a repository of the user's keeps its objects and those of its submodules. */
export interface ModulePlace {
  readonly gitDirectories: readonly string[];
  /** Its folder in the user's checkout. */
  readonly top: string;
}

/** The place of the user's repository itself. */
export function placeOfHub({ files }: Context, top: string): ModulePlace {
  return { gitDirectories: directoriesOf({ files }, top), top };
}

/**
 * The place of a submodule: below `modules` of the repository that it is in, by its name, or, as older versions of git
 * had it, in its folder of the checkout. No git directories if the user never fetched it.
 */
export function placeWithin(
  { files }: Context,
  { gitDirectories, top }: ModulePlace,
  { name, path }: { readonly name: string; readonly path: string },
): ModulePlace {
  const own = join(top, path);
  const kept = gitDirectories.map((each) => join(each, "modules", name));
  const isThere = (each: string) => files.stat(join(each, "HEAD")) !== undefined;
  const all = new Set([...kept.filter(isThere), ...directoriesOf({ files }, own)]);
  return { gitDirectories: [...all], top: own };
}

function directoriesOf({ files }: Context, top: string): readonly string[] {
  const located = locateGitDirectory(files, top);
  if (located === undefined) return [];
  return [...new Set([located.gitDirectory, located.commonDirectory])];
}

/**
 * The variable with which a git that runs elsewhere finds these objects. Nothing else of that repository is read: none
 * of its settings, hooks or filters.
 */
export function objectsIn({ gitDirectories }: ModulePlace): Environment {
  const quoted = gitDirectories.map((each) => {
    const path = join(each, "objects");
    return `"${path.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
  });
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted.join(":") };
}
