import { basename, dirname, join, resolve } from "node:path";

/** Reads the files of git in a person's repository. What cannot be read counts as absent. */
export interface GitFilesView {
  /** The names of the entries of a directory. */
  readonly namesIn: (directory: string) => readonly string[];
  /** The text of a regular file. */
  readonly textOf: (path: string) => string | undefined;
}

/** Where git keeps a checkout's files. */
export interface GitFolders {
  /** Its own directory: `.git`, or for a linked work tree one below the common one. */
  readonly own: string;
  /** The one that all work trees of the repository share. */
  readonly common: string;
}

/**
 * The directories of git that the `.git` of a checkout leads to; undefined if that is none. Never call it for a clone,
 * whose content an engine wrote.
 */
export function gitFoldersOf(view: GitFilesView, checkout: string): GitFolders | undefined {
  const path = join(checkout, ".git");
  if (view.namesIn(path).length > 0) return { own: path, common: path };
  const [, named] = /^gitdir: (.+)$/mu.exec(view.textOf(path) ?? "") ?? [];
  if (named === undefined) return undefined;
  const own = resolve(checkout, named);
  const common = view.textOf(join(own, "commondir"))?.trim();
  return { own, common: common === undefined ? own : resolve(own, common) };
}

/**
 * The other work trees of a checkout's repository, as `git worktree list` has them: the main one and those that are linked
 * to it. They may be gone, and one of the paths may be the checkout's own by another name.
 */
export function otherWorkTrees(view: GitFilesView, checkout: string): readonly string[] {
  const folders = gitFoldersOf(view, checkout);
  if (folders === undefined) return [];
  const { own, common } = folders;
  const linked = view.namesIn(join(common, "worktrees")).flatMap((name) => {
    const git = join(common, "worktrees", name);
    const dotGit = view.textOf(join(git, "gitdir"))?.trim();
    // Relative since git 2.48, if its settings say so.
    return dotGit === undefined || dotGit === "" || git === own
      ? []
      : [dirname(resolve(git, dotGit))];
  });
  // A bare repository has none, nor has a submodule one of that name.
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  return [...main, ...linked].filter((path) => path !== checkout);
}
