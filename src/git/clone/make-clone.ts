import { dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { locateGitDirectory, readText } from "../command/git-directory.ts";
import { type GitContext, userEnvironment } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { type Git, gitIn } from "../command/git.ts";
import { linesOf } from "../command/raw-output.ts";
import { noteHubHead } from "../repository/fetch-hub.ts";
import { objectFormat } from "../command/object-ids.ts";
import { borrowObjects } from "../store/borrow-objects.ts";
import { cloneConfig, isPlainPath, type UserCloneSettings } from "./clone-config.ts";
import { type ClonePlace, cloneRepo, type CloneRepo, headOf, HUB_REF } from "./clone-repo.ts";
import { fillWorkTree } from "./fill-work-tree.ts";
import { borrowedByHub } from "./restore-clone.ts";

/**
 * Makes a clone that borrows the objects of wisp's store. Undefined if it may not, or if the hub
 * itself lacks objects or a part of its history: git then has to copy what there is.
 */
export async function makeSharingClone(
  context: GitContext,
  place: ClonePlace,
  settings: UserCloneSettings,
): Promise<Result<string, GitFailure> | undefined> {
  const { hub, branch, directory, store } = place;
  if (store === undefined || !isPlainPath(store.directory)) return undefined;
  if (!isSelfContained(context, hub.directory)) return undefined;
  const commit = await hub.head(branch);
  if (commit === undefined) return undefined;
  // From here on, the store stays while this clone exists.
  const kept = context.files.makeDirectory(directory);
  if (!kept.ok) return fail(fileAsGitFailure("clone", kept.failure));
  const objects = await borrowObjects(context, store, { hub: hub.directory, commit });
  if (!objects.ok) return objects;
  const format = `--object-format=${objectFormat(commit)}`;
  const words = ["init", "--quiet", TEMPLATE, format, `--initial-branch=${branch}`, "--"];
  const made = await gitBeside(context, directory).act([...words, directory]);
  if (!made.ok) return made;
  const config = readConfig(context, place, { ...settings, objects: objects.value });
  if (!config.ok) return config;
  const repo = cloneRepo(context, place, config.value);
  const begin = `create refs/heads/${branch} ${commit}\ncreate ${HUB_REF} ${commit}\n`;
  const begun = await repo.git.act(["update-ref", "--stdin"], { stdin: begin });
  if (!begun.ok) return begun;
  const filled = await fillWorkTree(repo);
  return filled.ok ? config : filled;
}

/** Copies what a clone borrows and needs, so that it can go on without. Its own objects stay. */
export function copyBorrowed({ git }: CloneRepo): Promise<Result<void, GitFailure>> {
  return git.act(["repack", "-a", "-d", "-q"]);
}

/** Whether the user's repository has all objects and the whole history itself. */
function isSelfContained(context: GitContext, hub: string): boolean {
  const located = locateGitDirectory(context.files, hub);
  if (located === undefined || borrowedByHub(context, hub).length > 0) return false;
  const { commonDirectory } = located;
  if (context.directories.kindOf(join(commonDirectory, "shallow")) !== undefined) return false;
  const packs = context.directories.entries(join(commonDirectory, "objects", "pack"));
  return packs.ok && !packs.value.some(({ name }) => name.endsWith(".promisor"));
}

/** The remote's name during the clone command; it is deleted right after. */
const REMOTE = "hub";
/** A template could contain hooks. */
const TEMPLATE = "--template=";

/**
 * Makes a clone with copies of all objects, in an absent directory: an engine that is not confined
 * could write into anything that it borrows or that is linked.
 */
export async function makeFullClone(
  context: GitContext,
  place: ClonePlace,
  settings: UserCloneSettings,
): Promise<Result<string, GitFailure>> {
  const { hub, branch, directory } = place;
  const cloned = await gitClone(context, { from: hub.directory, branch, directory });
  if (!cloned.ok) return cloned;
  const config = readConfig(context, place, { ...settings, objects: undefined });
  if (!config.ok) return config;
  const filled = await checkOut(cloneRepo(context, place, config.value));
  return filled.ok ? config : filled;
}

/** The clone's configuration, from what git wrote; also copies what the user ignores. */
function readConfig(
  context: GitContext,
  { hub, directory }: ClonePlace,
  settings: Parameters<typeof cloneConfig>[1],
): Result<string, GitFailure> {
  const written = context.files.read(join(directory, ".git", "config"));
  if (!written.ok) return fail(fileAsGitFailure("clone", written.failure));
  const excluded = copyExcludes(context, hub.directory, directory);
  if (!excluded.ok) return fail(fileAsGitFailure("clone", excluded.failure));
  return ok(cloneConfig(Buffer.from(written.value ?? []).toString("utf8"), settings));
}

/**
 * Clones only the session's branch, without a checkout: files are checked out under our own
 * configuration.
 */
function gitClone(
  context: GitContext,
  clone: { readonly from: string; readonly branch: string; readonly directory: string },
): Promise<Result<void, GitFailure>> {
  const { from, branch, directory } = clone;
  return gitBeside(context, directory).act([
    "clone",
    "--quiet",
    "--no-checkout",
    "--single-branch",
    "--no-tags",
    "--no-hardlinks",
    TEMPLATE,
    `--origin=${REMOTE}`,
    `--branch=${branch}`,
    "--",
    from,
    directory,
  ]);
}

/** git in the folder of a new clone. */
function gitBeside({ environment }: GitContext, directory: string): Git {
  const above = dirname(directory);
  // Newer versions of git may store references in tables, but wisp reads a clone's references from
  // files.
  return gitIn(above, { ...userEnvironment(environment, above), GIT_DEFAULT_REF_FORMAT: "files" });
}

async function checkOut(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const filled = await fillWorkTree(repo);
  if (!filled.ok) return filled;
  if (await moveRemoteBranch(repo)) return ok(undefined);
  const stdin = `create ${HUB_REF} HEAD\ndelete refs/remotes/${REMOTE}/${repo.branch}\n`;
  return repo.git.act(["update-ref", "--stdin"], { stdin });
}

/**
 * Records the hub's commit in the files of a clone that nothing else uses yet, instead of the branch of a remote. False
 * if git wrote other references than the clone's own branch and that one, packed into one file.
 */
async function moveRemoteBranch(repo: CloneRepo): Promise<boolean> {
  const { files, directories } = repo.context;
  const packed = join(repo.location.commonDirectory, "packed-refs");
  const lines = linesOf(readText(files, packed) ?? "").filter((line) => !line.startsWith("#"));
  const head = await headOf(repo);
  const remotes = join(repo.location.commonDirectory, "refs", "remotes");
  const isKnown = `${head ?? ""} refs/remotes/${REMOTE}/${repo.branch}` === lines[0];
  if (head === undefined || !isKnown || lines.length > 1) return false;
  if (directories.kindOf(join(remotes, REMOTE)) !== undefined) return false;
  const places = [join(repo.location.commonDirectory, HUB_REF), packed] as const;
  if (!files.makeDirectory(dirname(places[0])).ok || !noteHubHead(repo, head)) return false;
  return files.remove(packed).ok;
}

/**
 * Copies the hub's `info/exclude`: what the user keeps out of commits in this repository stays out
 * of ours.
 */
function copyExcludes(
  { files }: GitContext,
  hubDirectory: string,
  directory: string,
): Result<void, FileFailure> {
  const located = locateGitDirectory(files, hubDirectory);
  if (located === undefined) return ok(undefined);
  const excludes = files.read(join(located.commonDirectory, "info", "exclude"));
  if (!excludes.ok || excludes.value === undefined) return ok(undefined);
  const info = files.makeDirectory(join(directory, ".git", "info"));
  if (!info.ok) return info;
  return files.replace(join(directory, ".git", "info", "exclude"), excludes.value);
}
