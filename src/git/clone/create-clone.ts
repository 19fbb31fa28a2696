import { dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cloneConfig, type CloneSettings, type Identity } from "./clone-config.ts";
import { type ClonePlace, cloneRepo, type CloneRepo, headOf, HUB_REF } from "./clone-repo.ts";
import { cloneOf } from "./clone.ts";
import { type GitContext, userEnvironment } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { gitIn } from "../command/git.ts";
import type { HubRepo } from "../repository/hub.ts";
import { locateGitDirectory, readText } from "../command/git-directory.ts";
import { linesOf } from "../command/raw-output.ts";
import { noteHubHead } from "../repository/fetch-hub.ts";

/** Which clone to make, and its commits' author. */
export interface CloneOptions extends ClonePlace {
  readonly identity: Identity;
}

/**
 * Opens the clone in `directory`, creating it if it is absent. A new clone is built in a temporary
 * directory and moved into place when it is complete, so that a crash never leaves a partial one. A
 * clone that lost its `.git` is moved aside (`.broken-1`, …), because it may hold work.
 */
export async function createClone(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<Clone, GitFailure>> {
  const repo = await openCloneRepo(context, options);
  return repo.ok ? ok(cloneOf(repo.value)) : repo;
}

/** Like `createClone`, but returns the internal form that the files of this folder use. */
export async function openCloneRepo(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<CloneRepo, GitFailure>> {
  const { hub, identity, directory } = options;
  const excludesFile = await excludesFileOf(hub, context.environment);
  const settings = { identity, excludesFile };
  const stored = keptConfig(context, directory);
  if (stored !== undefined) {
    const kept = keepConfig(context, directory, cloneConfig(stored, settings));
    return kept.ok ? ok(cloneRepo(context, options, kept.value)) : kept;
  }
  const made = await makeInPlace(context, options, settings);
  if (!made.ok) return made;
  const repo = cloneRepo(context, options, made.value);
  // Nothing but wisp has been in it.
  repo.memory.settledAt = await headOf(repo);
  return ok(repo);
}

/** The path of the user's global ignore file, whether or not the file exists. */
async function excludesFileOf(hub: HubRepo, environment: Environment): Promise<string | undefined> {
  const set = await hub.excludesFile();
  if (set !== undefined) return set.trimEnd();
  const { HOME: home, XDG_CONFIG_HOME: config } = environment;
  if (config !== undefined && config !== "") return join(config, "git", "ignore");
  return home === undefined ? undefined : join(home, ".config", "git", "ignore");
}

/**
 * The path of the copy of a clone's configuration: outside the clone, where its engine cannot
 * write.
 */
function configPath(directory: string): string {
  return `${directory}.config`;
}

function keepConfig(
  { files }: GitContext,
  directory: string,
  config: string,
): Result<string, GitFailure> {
  const path = configPath(directory);
  const wanted = Buffer.from(config);
  const present = files.read(path);
  if (present.ok && present.value !== undefined && wanted.equals(present.value)) return ok(config);
  const replaced = files.replace(path, wanted);
  return replaced.ok ? ok(config) : fail(fileAsGitFailure("clone", replaced.failure));
}

/** The copy of a clone's configuration, if the clone exists and is whole. */
function keptConfig({ files, directories }: GitContext, directory: string): string | undefined {
  const parts = [".git", ".git/objects", ".git/refs"];
  const isWhole = parts.every((part) => directories.kindOf(join(directory, part)) === "directory");
  const stored = files.read(configPath(directory));
  if (!isWhole || !stored.ok || stored.value === undefined) return undefined;
  return Buffer.from(stored.value).toString("utf8");
}

async function makeInPlace(
  context: GitContext,
  place: ClonePlace,
  settings: CloneSettings,
): Promise<Result<string, GitFailure>> {
  const { files, directories } = context;
  const { directory } = place;
  const beside = `${directory}.making`;
  const parent = files.makeDirectory(dirname(beside));
  if (!parent.ok) return fail(fileAsGitFailure("clone", parent.failure));
  const removed = directories.removeTree(beside);
  if (!removed.ok) return fail(fileAsGitFailure("clone", removed.failure));
  const config = await makeClone(context, { ...place, directory: beside }, settings);
  if (!config.ok) {
    directories.removeTree(beside);
    return config;
  }
  // Written before the clone is moved into place: without it the clone would count as broken.
  const stored = keepConfig(context, directory, config.value);
  if (!stored.ok) return stored;
  const moved = moveIntoPlace(context, beside, directory);
  return moved.ok ? config : fail(fileAsGitFailure("clone", moved.failure));
}

function moveIntoPlace(
  { directories }: GitContext,
  from: string,
  to: string,
): Result<void, FileFailure> {
  if (directories.kindOf(to) !== undefined) {
    const aside = freeName(directories, `${to}.broken`);
    const moved = directories.move(to, aside);
    if (!moved.ok) return moved;
  }
  return directories.move(from, to);
}

function freeName(directories: GitContext["directories"], name: string): string {
  for (let number = 1; ; number++) {
    const candidate = `${name}-${number}`;
    if (directories.kindOf(candidate) === undefined) return candidate;
  }
}

/** The remote's name during the clone command; it is deleted right after. */
const REMOTE = "hub";

/**
 * Makes a clone in an empty or absent directory, and returns the text of its configuration.
 *
 * Objects are copied. With hard links, an engine that writes to its own clone would write to the
 * user's repository. A clone of 500 MB takes 800 ms instead of 20. Unlike `--shared`, such a clone
 * is unaffected by the hub's garbage collection.
 */
async function makeClone(
  context: GitContext,
  place: ClonePlace,
  settings: CloneSettings,
): Promise<Result<string, GitFailure>> {
  const { files } = context;
  const { hub, branch, directory } = place;
  const cloned = await gitClone(context, { from: hub.directory, branch, directory });
  if (!cloned.ok) return cloned;
  const written = files.read(join(directory, ".git", "config"));
  if (!written.ok) return fail(fileAsGitFailure("clone", written.failure));
  const config = cloneConfig(Buffer.from(written.value ?? []).toString("utf8"), settings);
  const excluded = copyExcludes(context, hub.directory, directory);
  if (!excluded.ok) return fail(fileAsGitFailure("clone", excluded.failure));
  const filled = await checkOut(cloneRepo(context, place, config));
  return filled.ok ? ok(config) : filled;
}

/**
 * Clones only the session's branch, without a checkout: files are checked out under our own
 * configuration.
 */
async function gitClone(
  context: GitContext,
  clone: { readonly from: string; readonly branch: string; readonly directory: string },
): Promise<Result<void, GitFailure>> {
  const { from, branch, directory } = clone;
  const above = dirname(directory);
  const environment = userEnvironment(context.environment, above);
  // Newer versions of git may store references in tables, but wisp reads a clone's references from
  // files.
  const git = gitIn(above, { ...environment, GIT_DEFAULT_REF_FORMAT: "files" });
  return git.act([
    "clone",
    "--quiet",
    "--no-checkout",
    "--single-branch",
    "--no-tags",
    "--no-hardlinks",
    // A template could contain hooks.
    "--template=",
    `--origin=${REMOTE}`,
    `--branch=${branch}`,
    "--",
    from,
    directory,
  ]);
}

async function checkOut(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const filled = await repo.git.must(["reset", "--hard", "--quiet"]);
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
