import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { CONFIG_CHARS_MAX, FAR_COPY_MS_MAX } from "../../base/limits.ts";
import type { Executor, ExecutorFailure, Place } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Identity } from "../../git/clone/clone-config.ts";
import { type Git, userGit } from "../../git/command/git.ts";
import { findBaseRefs } from "../../git/refs/base-refs.ts";
import { readFilters } from "../../git/repository/filter-drivers.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readUserSettings } from "../../workspace/settings/user-settings.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import {
  GIVEN_BUNDLE,
  GIVEN_CONTENTS,
  GIVEN_REPOSITORY,
  GIVEN_SUBMODULES,
  type GivenRepository,
  type GivenSetting,
} from "./given-repository.ts";
import { putContents } from "./put-contents.ts";
import { putSubmodules } from "./put-submodules.ts";

/** What is sent of the repository here. */
export interface SentRepository {
  readonly repository: Repository;
  readonly identity: Identity;
  /** The templates and reviewers of the work tree, by their paths below `.wisp/`. */
  readonly prompts: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** A branch that must not be checked out there; its commit is then. */
  readonly detachedFrom?: string | undefined;
  /** The commit at which the session began. Absent: the one that is checked out. */
  readonly base?: Oid | undefined;
}

/**
 * Puts at a place what its repository is made from: the commits up to the one that is checked out, with their tags and
 * the branches to compare with, what they need of submodules and of Git LFS, and the settings of the work tree, committed
 * or not. Nothing else of the work tree goes there, and no remote.
 */
export async function sendRepository(
  world: World,
  executor: Executor,
  { place, sent }: { readonly place: Place; readonly sent: SentRepository },
): Promise<Result<void, ExecutorFailure | GitFailure>> {
  const { host, env } = world;
  const { repository, identity, prompts, detachedFrom } = sent;
  const git = userGit(gitContext(world), repository.directory);
  const settings = givenSettings(host, repository.directory, prompts);
  if (!settings.ok) return settings;
  const checkedOut = (await git.ask(["symbolic-ref", "--short", "-q", "HEAD"]))?.trim();
  const branch = checkedOut === detachedFrom ? undefined : checkedOut;
  const { head } = repository;
  const filters = await filtersHere(world, git);
  if (!filters.ok) return filters;
  const of = { directory: repository.directory, base: head, branch: detachedFrom };
  const found = await findBaseRefs(gitContext(world), of);
  if (!found.ok) return found;
  const tags = found.value.refs.flatMap(({ name }) => (isTag(name) ? [name] : []));
  const others = found.value.refs.filter(({ name }) => !isTag(name));
  const refs = others.map(({ name, oid }) => ({ name, oid }));
  const given: GivenRepository = {
    ...{ version: 1, head, branch, identity, settings: settings.value, refs },
    ...(filters.value.length === 0 ? {} : { filters: [...filters.value] }),
  };
  const directory = join(repositoryState(env, repository.directory), ".bundles");
  const made = host.files.makeDirectory(directory);
  if (!made.ok) return made;
  removeLost(host, directory);
  const bundle = join(directory, `${String(host.clock.nowMs())}-${randomUUID()}.bundle`);
  try {
    const bundled = await bundleOf(git, bundle, ["HEAD", ...tags]);
    if (!bundled.ok) return bundled;
    const to = (name: string) => join(place.root, "given", name);
    const put = await executor.put(place, { from: { path: bundle }, to: to(GIVEN_BUNDLE) });
    if (!put.ok) return put;
    const besides = await putBesides(world, executor, { place, sent, scratch: bundle });
    if (!besides.ok) return besides;
    const from = Buffer.from(JSON.stringify(given));
    const noted = await executor.put(place, { from, to: to(GIVEN_REPOSITORY) });
    return noted.ok ? ok(undefined) : noted;
  } finally {
    host.files.remove(bundle);
  }
}

/** Puts there what commits only name: content under Git LFS, and submodules. */
async function putBesides(
  world: World,
  executor: Executor,
  {
    place,
    sent,
    scratch,
  }: { readonly place: Place; readonly sent: SentRepository; readonly scratch: string },
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  const { directory, head } = sent.repository;
  const to = (name: string) => join(place.root, "given", name);
  const contents = await putContents(world, executor, {
    ...{ place, directory, to: to(GIVEN_CONTENTS), scratch: `${scratch}.contents` },
    revisions: ["--no-walk", head, ...(sent.base === undefined ? [] : [sent.base])],
  });
  if (!contents.ok) return contents;
  const modules = { place, directory, commit: sent.base ?? head, scratch: `${scratch}.submodules` };
  return putSubmodules(world, executor, { ...modules, to: to(GIVEN_SUBMODULES) });
}

/** The settings of the work tree, and its templates and reviewers. */
function givenSettings(
  { files }: World["host"],
  directory: string,
  prompts: SentRepository["prompts"],
): Result<GivenSetting[], FileFailure> {
  const config = files.read(join(directory, ".wisp", "config.yaml"), CONFIG_CHARS_MAX);
  if (!config.ok) return config;
  const own = config.value === undefined ? [] : [{ path: "config.yaml", bytes: config.value }];
  return ok(
    [...own, ...prompts].map(({ path, bytes }) => ({
      path,
      base64: Buffer.from(bytes).toString("base64"),
    })),
  );
}

function isTag(name: string): boolean {
  return name.startsWith("refs/tags/");
}

/** Puts references, and all that they lead to, into one file. */
function bundleOf(
  git: Git,
  path: string,
  names: readonly string[],
): Promise<Result<void, GitFailure>> {
  const stdin = names.map((name) => `${name}\n`).join("");
  const words = ["bundle", "create", "--quiet", path, "--stdin"];
  return git.act(words, { stdin, encoding: "latin1" });
}

/** Removes what killed processes left. The name begins with the time at which the file was made, in ms since 1970. */
function removeLost({ files, directories, clock }: World["host"], directory: string): void {
  const names = files.list(directory);
  const isLost = (name: string) => clock.nowMs() - Number.parseInt(name, 10) > 2 * FAR_COPY_MS_MAX;
  for (const name of (names.ok ? names.value : []).filter(isLost)) {
    directories.removeTree(join(directory, name));
  }
}

/** The filters without which nothing may be published there. */
async function filtersHere(
  { host, env }: World,
  git: Git,
): Promise<Result<readonly string[], GitFailure>> {
  const settings = readUserSettings(host.files, env);
  const allowed = settings.ok ? settings.value.filters : [];
  const read = await readFilters(git);
  return read.ok ? ok(read.value.defined.filter((name) => !allowed.includes(name))) : read;
}
