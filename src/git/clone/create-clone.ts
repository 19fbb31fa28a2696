import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { borrowedIn, cloneConfig, type Identity, type UserCloneSettings } from "./clone-config.ts";
import { type ClonePlace, cloneRepo, type CloneRepo } from "./clone-repo.ts";
import { cloneOf } from "./clone.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { copyBorrowed, makeFullClone, makeSharingClone } from "./make-clone.ts";
import { giveRefs } from "../refs/give-refs.ts";
import { placeContent } from "../lfs/place-content.ts";
import { fillSubmodules } from "../submodules/fill-submodules.ts";
import { needWhole } from "../store/borrow-objects.ts";

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
  if (!repo.ok) return repo;
  const placed = await placeContent(repo.value, { keepsOwn: true });
  return placed.ok ? ok(cloneOf(repo.value)) : placed;
}

/** Like `createClone`, but returns the internal form that the files of this folder use. */
export async function openCloneRepo(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<CloneRepo, GitFailure>> {
  const { hub, identity, directory } = options;
  const { excludesFile, hasLfs } = await hub.cloneSettings();
  const excludes = excludesFile ?? defaultExcludes(context.environment);
  const settings = { identity, excludesFile: excludes, hasLfs };
  const stored = keptConfig(context, directory);
  const config =
    stored === undefined
      ? await makeInPlace(context, options, settings)
      : await reopen(context, options, { stored, settings });
  if (!config.ok) return config;
  const repo = cloneRepo(context, options, config.value);
  const given = await giveRefs(repo, "kept");
  if (!given.ok) return given;
  // A tree is filled when it is at the commit that it is opened for.
  const filled = options.isTree === true ? ok(undefined) : await fillSubmodules(repo);
  return filled.ok ? ok(repo) : filled;
}

/**
 * An existing clone goes on as it was made, with copies of its own or with what it borrows. If it
 * may no longer borrow, because its session's engines are not confined, it gets copies first.
 */
async function reopen(
  context: GitContext,
  place: ClonePlace,
  { stored, settings }: { readonly stored: string; readonly settings: UserCloneSettings },
): Promise<Result<string, GitFailure>> {
  const { hub, branch, store, directory } = place;
  const objects = borrowedIn(stored);
  const config = cloneConfig(stored, { ...settings, objects });
  if (objects === undefined) return keepConfig(context, directory, config);
  if (store === undefined) {
    const copied = await copyBorrowed(cloneRepo(context, place, config));
    if (!copied.ok) return copied;
    const own = cloneConfig(stored, { ...settings, objects: undefined });
    return keepConfig(context, directory, own);
  }
  const commit = await hub.head(branch);
  const whole =
    commit === undefined
      ? ok(undefined)
      : await needWhole(context, store, { hub: hub.directory, commit });
  return whole.ok ? keepConfig(context, directory, config) : whole;
}

/** The path of the user's global ignore file if none is set, whether or not the file exists. */
function defaultExcludes(environment: Environment): string | undefined {
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
  settings: UserCloneSettings,
): Promise<Result<string, GitFailure>> {
  const { files, directories } = context;
  const { directory } = place;
  // A git that a killed process started may go on for a while, by the path that it was given.
  const beside = `${directory}.making-${randomBytes(6).toString("hex")}`;
  const parent = files.makeDirectory(dirname(beside));
  if (!parent.ok) return fail(fileAsGitFailure("clone", parent.failure));
  removeUnfinished(context, directory);
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

/** Removes what killed processes left of this clone. Where one's git still writes, something may stay for the next. */
function removeUnfinished({ directories }: GitContext, directory: string): void {
  const listed = directories.entries(dirname(directory));
  const begins = `${basename(directory)}.making`;
  const left = listed.ok ? listed.value.filter(({ name }) => name.startsWith(begins)) : [];
  for (const { name } of left) directories.removeTree(join(dirname(directory), name));
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

/**
 * Makes a clone in an absent directory, and returns the text of its configuration. It borrows
 * objects if it may; if anything goes wrong with that, it gets copies of its own.
 */
async function makeClone(
  context: GitContext,
  place: ClonePlace,
  settings: UserCloneSettings,
): Promise<Result<string, GitFailure>> {
  const sharing = await makeSharingClone(context, place, settings);
  if (sharing?.ok === true) return sharing;
  const removed = context.directories.removeTree(place.directory);
  if (!removed.ok) return fail(fileAsGitFailure("clone", removed.failure));
  return makeFullClone(context, place, settings);
}
