import { basename, dirname, join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { type CloneRepo, headOf } from "../clone/clone-repo.ts";
import { TreeReader } from "../command/read-tree.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { filledIn, indexOf, isInSubmodule, recordFilled, recordFolder } from "./filled-record.ts";
import { aimedAt, filesOfFilled, folderAt, isEmptyFolder, linksInClone } from "./filled-folder.ts";
import { type FilledSubmodule, linksListed } from "./submodule-links.ts";

/**
 * Removes the files of submodules that the index does not list any more: git leaves them, and they would count as work
 * that nobody committed. Costs nothing where no submodule was filled.
 */
export async function clearGone(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  if (filledIn(repo).length === 0) return ok(undefined);
  return clearOthers(repo, await linksInClone(repo));
}

/** The same for those that a commit lacks to which the work tree is to be moved: git would stumble over their files. */
export async function clearBefore(repo: CloneRepo, target: Oid): Promise<Result<void, GitFailure>> {
  if (filledIn(repo).length === 0 || (await headOf(repo)) === target) return ok(undefined);
  const read = new TreeReader(repo.context.files, repo.location).filesAt(target);
  if (read !== undefined)
    return clearOthers(
      repo,
      read.filter(({ mode }) => mode === "160000"),
    );
  const words = ["ls-tree", "-r", "-z", "--full-tree", target];
  const listed = await repo.git.ask(words, { encoding: "latin1" });
  // A commit that is not here yet cannot be checked out either.
  return listed === undefined ? ok(undefined) : clearOthers(repo, linksListed(listed));
}

async function clearOthers(
  repo: CloneRepo,
  links: readonly { readonly path: string }[],
): Promise<Result<void, GitFailure>> {
  const paths = new Set(links.map(({ path }) => path));
  const all = filledIn(repo);
  const tops = all.filter(
    ({ path }) => !all.some((other) => other.path !== path && isInSubmodule(path, other.path)),
  );
  for (const one of tops.filter(({ path }) => !paths.has(path))) {
    const cleared = await clearFilled(repo, one.path, { isGone: true });
    if (!cleared.ok) return cleared;
  }
  return ok(undefined);
}

/**
 * Takes the files of a submodule, and of those in it, out of the work tree. If anything was changed there, which is no
 * part of any commit of the clone, the whole folder is kept next to the clone. Files that the clone itself has at such a
 * path by now stay.
 */
export async function clearFilled(
  repo: CloneRepo,
  path: string,
  { isGone }: { readonly isGone: boolean },
): Promise<Result<void, GitFailure>> {
  const within = filledIn(repo).filter((one) => isInSubmodule(one.path, path));
  const folder = folderAt(repo, path);
  if (folder !== undefined) {
    const tracked = isGone ? await trackedIn(repo, path) : new Set<string>();
    const taken =
      tracked.size > 0
        ? removeFiles(repo, within, tracked)
        : await takeAway(repo, { folder, within, isGone });
    if (!taken.ok) return taken;
  }
  for (const one of within) repo.context.directories.removeTree(indexOf(repo, one.path));
  const others = filledIn(repo).filter((one) => !isInSubmodule(one.path, path));
  return recordFilled(repo, others);
}

/** The files that the clone itself has in a folder. */
async function trackedIn({ git }: CloneRepo, path: string): Promise<ReadonlySet<string>> {
  const listed = await git.ask(["--literal-pathspecs", "ls-files", "-z", "--", path]);
  return new Set(entriesOf(listed ?? "").filter((each) => each.startsWith(`${path}/`)));
}

interface Taken {
  readonly folder: string;
  readonly within: readonly FilledSubmodule[];
  readonly isGone: boolean;
}

async function takeAway(
  repo: CloneRepo,
  { folder, within, isGone }: Taken,
): Promise<Result<void, GitFailure>> {
  const { files, directories } = repo.context;
  const failed = (failure: FileFailure) => fail(fileAsGitFailure("submodules", failure));
  const isChanged = repo.isTree !== true && (await areChanged(repo, within));
  if (!isChanged) {
    // A part of it that a killed process leaves is no change either.
    const begun = filledIn(repo).map((one) =>
      within.includes(one) ? { ...one, isWhole: false } : one,
    );
    const marked = recordFilled(repo, begun);
    if (!marked.ok) return marked;
    const removed = isGone ? directories.removeTree(folder) : directories.empty(folder);
    return removed.ok ? ok(undefined) : failed(removed.failure);
  }
  const aside = asideFolder(repo);
  const made = files.makeDirectory(aside);
  if (!made.ok) return failed(made.failure);
  const listed = directories.entries(aside);
  const number = listed.ok ? listed.value.length + 1 : 1;
  const moved = directories.move(folder, join(aside, `${String(number)}-${basename(folder)}`));
  return moved.ok ? ok(undefined) : failed(moved.failure);
}

/** Where folders of submodules are kept in which something was changed. */
export function asideFolder(repo: Pick<CloneRepo, "directory">): string {
  return join(recordFolder(repo), "changed");
}

function removeFiles(
  repo: CloneRepo,
  within: readonly FilledSubmodule[],
  tracked: ReadonlySet<string>,
): Result<void, GitFailure> {
  const { files, directories } = repo.context;
  for (const path of within.flatMap((one) => filesOfFilled(repo, one))) {
    // A link on the way would lead to files elsewhere.
    if (tracked.has(path) || folderAt(repo, dirname(path)) === undefined) continue;
    const at = join(repo.directory, path);
    if (directories.kindOf(at) === "directory") continue;
    const removed =
      directories.kindOf(at) === "other" ? directories.removeTree(at) : files.remove(at);
    if (!removed.ok) return fail(fileAsGitFailure("submodules", removed.failure));
  }
  return ok(undefined);
}

async function areChanged(repo: CloneRepo, within: readonly FilledSubmodule[]): Promise<boolean> {
  for (const one of within) if ((await changedIn(repo, one)).length > 0) return true;
  return false;
}

/** The files in the folder of a submodule that are not as its commit has them, without those that it ignores. */
export async function changedIn(repo: CloneRepo, one: FilledSubmodule): Promise<readonly string[]> {
  if (!one.isWhole) return [];
  const folder = folderAt(repo, one.path);
  if (folder === undefined || isEmptyFolder(repo, folder)) return [];
  // What was committed there, if it is a repository by now, is looked for elsewhere.
  const words = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"];
  const printed = await repo.git.must(words, {
    variables: aimedAt(repo, one.path),
    encoding: "latin1",
  });
  if (!printed.ok) return [one.path];
  return [...new Set(entriesOf(printed.value))].map(decodedText);
}
