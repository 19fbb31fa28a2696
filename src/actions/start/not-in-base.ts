import { findMissing } from "../../evidence/missing/find-missing.ts";
import { missingLine, type Missing, type CommandsAtBase } from "../../evidence/missing/missing.ts";
import { isSearched } from "../../evidence/missing/searched-files.ts";
import type { GitContext } from "../../git/command/git-environment.ts";
import { userGit } from "../../git/command/git.ts";
import { openHub } from "../../git/repository/hub.ts";
import {
  commandsInForce,
  replacedIn,
  type CommandFacts,
} from "../../session/commands/commands-in-force.ts";
import { detectBuild } from "../../settings/detect/detect-build.ts";
import { detectSetup } from "../../settings/detect/detect-setup.ts";
import { detectVerify } from "../../settings/detect/detect-verify.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { readUserSettings } from "../../workspace/settings/user-settings.ts";
import type { FilterSession } from "../../work/unfiltered.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { baseFiles } from "./base-files.ts";
import type { SessionDraft } from "./session-draft.ts";
import { isAbsolute, relative } from "node:path";
import {
  countUncommitted,
  findRepository,
  type Repository,
} from "../../git/repository/repository.ts";
import { count } from "../../base/words/sentence.ts";
import { STANDARD_INPUT } from "./read-request.ts";

/**
 * Warns about changes in the work tree that a session which is about to begin will not see, because it begins at HEAD.
 *
 * @returns what verify is likely to miss there
 */
export async function notInBase(world: World, draft: SessionDraft): Promise<MissingSaid> {
  const context = gitContext(world);
  const finding = missingAt(context, draft.repository, commandsOf(draft), draft.settings);
  await warnUncommitted(world, context, draft);
  return finding;
}

async function warnUncommitted(
  world: World,
  context: GitContext,
  { repository, request, refs }: SessionDraft,
): Promise<void> {
  const { directory, head } = repository;
  if (refs.problem !== undefined) {
    world.tell(`wisp: the session's clones get no tags of this repository: ${refs.problem}`);
  }
  const dirty = await countUncommitted(context, directory);
  if (dirty.ok && dirty.value.changed > 0) {
    const changed = count(dirty.value.changed, "file");
    world.tell(
      `wisp: ${changed} changed but not committed: the session starts from ${head.slice(0, 10)}, without those changes`,
    );
  }
  if (request.path === STANDARD_INPUT) return;
  const path = relative(directory, request.path);
  if (path.startsWith("..") || isAbsolute(path)) return;
  const git = userGit(context, directory);
  const state = await git.run([
    "--literal-pathspecs",
    "status",
    "--porcelain=v1",
    "-z",
    "--",
    path,
  ]);
  if (state.ok && state.value.stdout !== "") {
    world.tell("wisp: the request is not committed; the session keeps its own copy of it");
  }
}

/** What is missing, for programs and for people. */
export interface MissingSaid {
  readonly missing: readonly Missing[];
  /** One line for each; none if the only one is that not all was looked at. */
  readonly notices: readonly string[];
}

const NOTHING: MissingSaid = { missing: [], notices: [] };

/** What verify would miss in a session that began now, as far as that needs no run. Nothing if git cannot tell: only hints. */
export async function missingHere(world: World, repository: Repository): Promise<MissingSaid> {
  const commands = await commandsHere(world, repository);
  if (commands === undefined) return NOTHING;
  const own = readUserSettings(world.host.files, world.env);
  const allowed = own.ok ? own.value.filters : [];
  const agents = { filters: { defined: [], allowed: [...allowed] } };
  return missingAt(gitContext(world), repository, commands, agents);
}

/** The same of the repository around the working directory; nothing if there is none, or no commit. */
export async function missingAround(world: World): Promise<MissingSaid> {
  const found = await findRepository(gitContext(world), world.cwd);
  return found.ok ? missingHere(world, found.value) : NOTHING;
}

/** The same of a session that is about to be created. */
export async function missingOf(
  world: World,
  draft: Pick<SessionDraft, "repository" | "settings">,
): Promise<MissingSaid> {
  return missingAt(gitContext(world), draft.repository, commandsOf(draft), draft.settings);
}

function commandsOf({ settings }: Pick<SessionDraft, "settings">): CommandsAtBase {
  return { ...settings, build: settings.build ?? [] };
}

/** The same of a session that exists, with the commands that are in force in it. */
export async function missingOfSession(
  world: Pick<World, "host" | "env">,
  { session }: Pick<FoundSession, "session">,
  state: CommandFacts,
): Promise<MissingSaid> {
  const { repository: directory, base: head } = session;
  const commands = commandsInForce(session, replacedIn(session, state));
  return missingAt(gitContext(world), { directory, head }, commands, session);
}

async function missingAt(
  context: GitContext,
  { directory, head }: Pick<Repository, "directory" | "head">,
  commands: CommandsAtBase,
  agents: FilterSession,
): Promise<MissingSaid> {
  const read = await openHub(context, directory).project(head, isSearched);
  if (!read.ok) return NOTHING;
  const missing = findMissing(read.value, commands, agents);
  const isNothing = missing.every(({ kind }) => kind === "not-searched");
  return { missing, notices: isNothing ? [] : missing.map((one) => `wisp: ${missingLine(one)}`) };
}

/** The commands that a new session would have; undefined if the settings or the commit cannot be read. */
async function commandsHere(
  world: World,
  repository: Repository,
): Promise<CommandsAtBase | undefined> {
  const settings = readSettings(world.host.files, repository.directory);
  const listed = await baseFiles(world.env, repository);
  if (!settings.ok || !listed.ok) return undefined;
  const config = settings.value;
  const setup = detectSetup(listed.value);
  return {
    setup: config.setup ?? setup?.commands ?? [],
    build: config.build ?? detectBuild(listed.value)?.commands ?? [],
    verify: config.verify?.run ?? detectVerify(listed.value, setup)?.commands ?? [],
  };
}
