import { dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cloneConfig, type CloneSettings, type Identity } from "./clone-config.ts";
import { cloneRepo, type ClonePlace, type CloneRepo } from "./clone-repo.ts";
import { cloneOf } from "./clone.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { gitIn, type Git } from "../command/git.ts";
import { makeClone } from "./make-clone.ts";

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
  const atHub = gitIn(hub.directory, userEnvironment(context.environment, hub.directory));
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
  const asked = await atHub.run(["config", "--type=path", "--get", "core.excludesFile"]);
  if (asked.ok && asked.value.exitCode === 0) return asked.value.stdout.trimEnd();
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
