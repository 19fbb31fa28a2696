import { join, posix } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { isAsInBase } from "./compare-steering.ts";
import { foundSteering } from "./found-steering.ts";
import type { BaseFile, SteeringBase } from "./steering-base.ts";
import { type ListedFiles, listedFiles, markSteering, putInGit } from "./steering-index.ts";
import { holdsSteering, steeringPatterns } from "./steering-paths.ts";
import { isReached, type SteeredClone, steeringFolder } from "./steering-place.ts";
import { asidePath, cloneMark, writeSteering, type SteeringRecord } from "./steering-record.ts";

/**
 * Gives the files of a clone that steer agents the bytes that they have in the base, and removes those that it lacks.
 * Until `unsteer`, git in the clone leaves them alone: it neither shows, stages, nor writes them, also where it checks
 * out or rebases onto commits that change them. Starts no process if they are as in the base already.
 *
 * @returns the files and folders that are not as on the branch
 */
export async function steer(
  clone: SteeredClone,
  base: SteeringBase,
): Promise<Result<readonly string[], GitFailure>> {
  const restored = clone.restore();
  if (!restored.ok) return restored;
  const index = await listedFiles(clone, base.at.length / 2);
  if (!index.ok) return index;
  const changed = await changedSteering(clone, base, index.value);
  if (!changed.ok || changed.value.length === 0) return changed;
  const exclude = excludeOf(clone);
  if (!exclude.ok) return exclude;
  const plan = planOf(clone, changed.value, exclude.value);
  const written = writeSteering(clone.context, clone.directory, plan);
  if (!written.ok) return written;
  const aside = moveAside(clone, plan.roots);
  if (!aside.ok) return aside;
  const placed = await placeAll(clone, base, changed.value);
  if (!placed.ok) return placed;
  const hidden = await hide(clone, index.value, exclude.value);
  return hidden.ok ? changed : hidden;
}

/** The files and folders, tracked or not, that are not as in the base. */
export async function changedSteering(
  clone: SteeredClone,
  base: SteeringBase,
  index: ListedFiles,
): Promise<Result<readonly string[], GitFailure>> {
  const found = await foundSteering(clone, index);
  if (!found.ok) return found;
  const wanted = [...base.roots.keys()].filter((root) => mayBePlaced(clone, root));
  const roots = [...new Set([...found.value, ...wanted])].sort();
  return ok(roots.filter((root) => !isAsInBase(clone, { base, index }, root)));
}

/** Files of a folder that the branch removed, or made a file or a link, steer nobody. */
function mayBePlaced(clone: SteeredClone, root: string): boolean {
  const folder = posix.dirname(root);
  const isHolder = holdsSteering(posix.basename(folder));
  return isReached(clone, root) || (isHolder && isFree(clone, folder));
}

function isFree(clone: SteeredClone, folder: string): boolean {
  const isThere = clone.context.directories.kindOf(join(clone.directory, folder)) !== undefined;
  return !isThere && isReached(clone, folder);
}

/** What the person keeps out of commits in this repository, as the clone has it; an engine may have changed it. */
function excludeOf({ context, directory }: SteeredClone): Result<string | undefined, GitFailure> {
  const path = join(directory, ".git", "info", "exclude");
  const read = context.files.read(path, EXCLUDE_BYTES_MAX);
  if (!read.ok) return fail(fileAsGitFailure("steer", read.failure));
  return ok(read.value && Buffer.from(read.value).toString("utf8"));
}

const EXCLUDE_BYTES_MAX = 1024 * 1024;

function planOf(
  clone: SteeredClone,
  changed: readonly string[],
  exclude: string | undefined,
): Omit<SteeringRecord, "version"> {
  const { context, directory } = clone;
  const folders = [...new Set(changed.map((root) => posix.dirname(root)))];
  return {
    clone: cloneMark(context, directory),
    roots: changed.map((path) => ({
      path,
      wasThere: context.directories.kindOf(join(directory, path)) !== undefined,
    })),
    folders: folders.filter((folder) => folder !== "." && isFree(clone, folder)),
    ...(exclude === undefined ? {} : { exclude }),
  };
}

function moveAside(
  { context: { directories }, directory }: SteeredClone,
  roots: SteeringRecord["roots"],
): Result<void, GitFailure> {
  for (const [at, { path, wasThere }] of roots.entries()) {
    if (!wasThere) continue;
    const [from, to] = [join(directory, path), asidePath(directory, at)];
    let moved = directories.move(from, to);
    // A test suite may have write-protected the folder.
    if (!moved.ok && directories.makeWritable(directory).ok) moved = directories.move(from, to);
    if (!moved.ok) return fail(fileAsGitFailure("steer", moved.failure));
  }
  return ok(undefined);
}

/** Places the files of the base at these paths, where nothing is. */
export async function placeAll(
  clone: SteeredClone,
  { roots }: SteeringBase,
  paths: readonly string[],
): Promise<Result<void, GitFailure>> {
  for (const file of paths.flatMap((root) => roots.get(root) ?? [])) {
    const placed = await placeOne(clone, file);
    if (!placed.ok) return placed;
  }
  return ok(undefined);
}

async function placeOne(
  { context: { directories }, directory }: SteeredClone,
  { path, from, isExecutable, ...content }: BaseFile,
): Promise<Result<void, GitFailure>> {
  const temporary = join(steeringFolder(directory), "placing");
  const removed = directories.removeTree(temporary);
  if (!removed.ok) return fail(fileAsGitFailure("steer", removed.failure));
  const to = join(directory, path);
  const placed = await directories.placeExactly(from, to, content, { isExecutable, temporary });
  if (!placed.ok) return fail(fileAsGitFailure("steer", placed.failure));
  return placed.value ? ok(undefined) : fail(gitFailure("steer", directory, `${from} is gone`));
}

/**
 * Keeps such files out of git's sight: those in the index by marks and by what a sparse checkout excludes, the others as
 * ignored.
 */
async function hide(
  clone: SteeredClone,
  index: ListedFiles,
  exclude = "",
): Promise<Result<void, GitFailure>> {
  const marked = await markSteering(clone, index, "--skip-worktree");
  if (!marked.ok) return marked;
  const patterns = steeringPatterns();
  const before = exclude === "" || exclude.endsWith("\n") ? exclude : `${exclude}\n`;
  const ignored = putInGit(clone, "info/exclude", `${before}${patterns.join("\n")}\n`);
  if (!ignored.ok) return ignored;
  const left = patterns.map((pattern) => `!${pattern}\n`);
  const sparse = putInGit(clone, "info/sparse-checkout", `/*\n${left.join("")}`);
  // Last: before its next command, wisp puts the configuration back.
  return sparse.ok ? putInGit(clone, "config", `${clone.config}${SPARSE}`) : sparse;
}

/**
 * With these, a checkout or a rebase leaves what the patterns exclude, also if other commits have other files there, and
 * git does not take the marks away again from files that are there all the same.
 */
const SPARSE = `[core]
\tsparseCheckout = true
\tsparseCheckoutCone = false
[sparse]
\texpectFilesOutsideOfPatterns = true
`;
