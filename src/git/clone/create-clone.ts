import { dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cloneConfig, type CloneSettings, type Identity } from "./clone-config.ts";
import { type ClonePlace, cloneRepo, type CloneRepo, HUB_REF } from "./clone-repo.ts";
import { cloneOf } from "./clone.ts";
import { type GitContext, userEnvironment } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { type Git, gitIn, userGit } from "../command/git.ts";
import { locateGitDirectory } from "../command/git-directory.ts";

/** Which clone to make, and who commits in it. */
export interface CloneOptions extends ClonePlace {
  readonly identity: Identity;
}

/**
 * Opens the clone in `directory`, making it when it is not there. A clone is made beside its place and
 * moved there when it is complete, so a crash leaves nothing half-made to be taken for a clone. One
 * that has lost its `.git` is moved aside (`.broken-1`, …), for it may hold work.
 */
export async function createClone(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<Clone, GitFailure>> {
  const repo = await openCloneRepo(context, options);
  return repo.ok ? ok(cloneOf(repo.value)) : repo;
}

/** As `createClone`, for the files of this folder. */
export async function openCloneRepo(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<CloneRepo, GitFailure>> {
  const { hub, identity, directory } = options;
  const atHub = userGit(context, hub.directory);
  const excludesFile = await excludesFileOf(atHub, context.environment);
  const settings = { identity, excludesFile };
  const kept = keptConfig(context, directory);
  const config =
    kept === undefined
      ? await makeInPlace(context, options, settings)
      : keepConfig(context, directory, cloneConfig(kept, settings));
  return config.ok ? ok(cloneRepo(context, options, config.value)) : config;
}

/** The user's own list of files to ignore everywhere, whether it exists or not. */
async function excludesFileOf(atHub: Git, environment: Environment): Promise<string | undefined> {
  const set = await atHub.ask(["config", "--type=path", "--get", "core.excludesFile"]);
  if (set !== undefined) return set.trimEnd();
  const { HOME: home, XDG_CONFIG_HOME: config } = environment;
  if (config !== undefined && config !== "") return join(config, "git", "ignore");
  return home === undefined ? undefined : join(home, ".config", "git", "ignore");
}

/** Where the text of a clone's configuration is kept: beside it, where its engine cannot write. */
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

/** The configuration of a clone that is there and whole. */
function keptConfig({ files, directories }: GitContext, directory: string): string | undefined {
  const parts = [".git", ".git/objects", ".git/refs"];
  const isWhole = parts.every((part) => directories.kindOf(join(directory, part)) === "directory");
  const kept = files.read(configPath(directory));
  if (!isWhole || !kept.ok || kept.value === undefined) return undefined;
  return Buffer.from(kept.value).toString("utf8");
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
  // Before the clone is there: without the text it would be taken for a broken one.
  const kept = keepConfig(context, directory, config.value);
  if (!kept.ok) return kept;
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

/** The name that the hub has while it is being cloned; it is forgotten right after. */
const REMOTE = "hub";

/**
 * Makes a clone in a directory that is empty or absent, and returns the text of its configuration.
 *
 * Objects are copied: as hard links, an engine that writes its own clone would write the user's repository. A
 * clone of 500 MB takes 800 ms instead of 20. Unlike `--shared`, a clone so made survives whatever the hub's
 * garbage collection does.
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

/** Only the session's branch, without its files: those are checked out under our own configuration. */
async function gitClone(
  context: GitContext,
  clone: { readonly from: string; readonly branch: string; readonly directory: string },
): Promise<Result<void, GitFailure>> {
  const { from, branch, directory } = clone;
  const above = dirname(directory);
  const environment = userEnvironment(context.environment, above);
  // Newer versions may keep references in tables; a clone's are read from files all the time.
  const git = gitIn(above, { ...environment, GIT_DEFAULT_REF_FORMAT: "files" });
  return git.act([
    "clone",
    "--quiet",
    "--no-checkout",
    "--single-branch",
    "--no-tags",
    "--no-hardlinks",
    // A template could bring hooks along.
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
  const stdin = `create ${HUB_REF} HEAD\ndelete refs/remotes/${REMOTE}/${repo.branch}\n`;
  return repo.git.act(["update-ref", "--stdin"], { stdin });
}

/** What the user keeps out of their commits in this repository alone stays out of ours as well. */
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
