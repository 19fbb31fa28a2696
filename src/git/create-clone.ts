import { dirname, join } from "node:path";
import type { FileFailure } from "../base/files.ts";
import type { Clone, GitFailure } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { cloneConfig, type CloneSettings, type Identity } from "./clone-config.ts";
import { cloneRepo, HUB_REF, type ClonePlace, type CloneRepo } from "./clone-repo.ts";
import { cloneOf } from "./clone.ts";
import { excludesFileOf } from "./excludes-file.ts";
import { locateGitDirectory } from "./git-directory.ts";
import { userEnvironment, type GitContext } from "./git-environment.ts";
import { fileAsGitFailure } from "./git-failure.ts";
import { gitIn } from "./git.ts";

/** Which clone to make, and who commits in it. */
export interface CloneOptions extends ClonePlace {
  readonly identity: Identity;
}

/** The name that the hub has while it is being cloned; it is forgotten right after. */
const REMOTE = "hub";

/**
 * Opens the clone in `directory`, making it when it is not there. A clone is made beside its place and
 * moved there when it is complete, so a crash leaves nothing half-made to be taken for a clone.
 *
 * Objects are shared with the hub as hard links (git copies them where it cannot link): a clone of
 * 500 MB takes 20 ms instead of 800, and no space. Unlike `--shared`, a clone so made survives whatever
 * the hub's garbage collection does.
 */
export async function createClone(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<Clone, GitFailure>> {
  const { hub, identity, directory } = options;
  const atHub = gitIn(hub.directory, userEnvironment(context.environment, hub.directory));
  const excludesFile = await excludesFileOf(atHub, context.environment);
  const settings = { identity, excludesFile };
  const existing = reopen(context, options, settings);
  if (existing !== undefined) return existing;
  const made = await makeBeside(context, options, settings);
  if (!made.ok) return made;
  const moved = moveIntoPlace(context, made.value.directory, directory);
  if (!moved.ok) return fail(fileAsGitFailure("clone", moved.failure));
  return ok(cloneOf(cloneRepo(context, options, made.value.config)));
}

/** The text that the configuration of a clone must have, kept where its engine cannot write. */
function configPath(directory: string): string {
  return `${directory}.config`;
}

function reopen(
  context: GitContext,
  place: ClonePlace,
  settings: CloneSettings,
): Result<Clone, GitFailure> | undefined {
  const { files, directories } = context;
  const { directory } = place;
  const parts = [".git", ".git/objects", ".git/refs"];
  const isWhole = parts.every((part) => directories.kindOf(join(directory, part)) === "directory");
  const kept = files.read(configPath(directory));
  if (!isWhole || !kept.ok || kept.value === undefined) return undefined;
  const written = Buffer.from(kept.value).toString("utf8");
  const config = cloneConfig(written, settings);
  if (config === written) return ok(cloneOf(cloneRepo(context, place, config)));
  const replaced = files.replace(configPath(directory), Buffer.from(config));
  if (!replaced.ok) return fail(fileAsGitFailure("open", replaced.failure));
  return ok(cloneOf(cloneRepo(context, place, config)));
}

interface MadeClone {
  readonly directory: string;
  readonly config: string;
}

async function makeBeside(
  context: GitContext,
  options: CloneOptions,
  settings: CloneSettings,
): Promise<Result<MadeClone, GitFailure>> {
  const { files, directories } = context;
  const directory = `${options.directory}.making`;
  const prepared = files.makeDirectory(dirname(directory));
  if (!prepared.ok) return fail(fileAsGitFailure("clone", prepared.failure));
  const removed = directories.removeTree(directory);
  if (!removed.ok) return fail(fileAsGitFailure("clone", removed.failure));
  const cloned = await gitClone(context, options, directory);
  if (!cloned.ok) return cloned;
  const written = files.read(join(directory, ".git", "config"));
  if (!written.ok) return fail(fileAsGitFailure("clone", written.failure));
  const base = Buffer.from(written.value ?? []).toString("utf8");
  const config = cloneConfig(base, settings);
  const kept = files.replace(configPath(options.directory), Buffer.from(config));
  if (!kept.ok) return fail(fileAsGitFailure("clone", kept.failure));
  const excluded = copyExcludes(context, options.hub.directory, directory);
  if (!excluded.ok) return fail(fileAsGitFailure("clone", excluded.failure));
  const filled = await checkOut(cloneRepo(context, { ...options, directory }, config));
  return filled.ok ? ok({ directory, config }) : filled;
}

/** Only the session's branch, without its files: those are checked out under our own configuration. */
async function gitClone(
  context: GitContext,
  options: CloneOptions,
  directory: string,
): Promise<Result<void, GitFailure>> {
  const { hub, branch } = options;
  const above = dirname(directory);
  const git = gitIn(above, userEnvironment(context.environment, above));
  const cloned = await git.must([
    "clone",
    "--quiet",
    "--no-checkout",
    "--single-branch",
    "--no-tags",
    // A template could bring hooks along.
    "--template=",
    `--origin=${REMOTE}`,
    `--branch=${branch}`,
    "--",
    hub.directory,
    directory,
  ]);
  if (!cloned.ok) return cloned;
  const inside = gitIn(directory, userEnvironment(context.environment, directory));
  const forgotten = await inside.must(["remote", "remove", REMOTE]);
  return forgotten.ok ? ok(undefined) : forgotten;
}

async function checkOut(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const filled = await repo.git.must(["reset", "--hard", "--quiet"]);
  if (!filled.ok) return filled;
  const noted = await repo.git.must(["update-ref", HUB_REF, "HEAD"]);
  return noted.ok ? ok(undefined) : noted;
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

/** A clone that is there but not whole may hold work: it is moved aside, never removed. */
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
