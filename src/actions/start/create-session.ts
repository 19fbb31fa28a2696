import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { writeSessionCopy } from "../../home/session-copy.ts";
import type { Result } from "../../base/result.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { homeAt, type Home } from "../../fs-protocol/home/home.ts";
import { sessionCopyPath } from "../../fs-protocol/home/copy-path.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { refsDirectory } from "../../fs-protocol/home/state-places.ts";
import { deleteBranch } from "../../git/repository/branches.ts";
import { freezeRefs } from "../../git/refs/frozen-refs.ts";
import { excludeFromGit } from "../../git/repository/repository.ts";
import { removeEmptyDirectories } from "../../host/files/empty-directories.ts";
import { pointLink } from "../../host/files/node-links.ts";
import { ownMark } from "../../host/processes/process-mark.ts";
import { startMarkPath, type StartMark } from "../../host/processes/start-mark.ts";
import { makeBranch, type ChosenBranch } from "./choose-branch.ts";
import { clearKilledStarts, startNote } from "./clear-starts.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { EXCLUDED_FROM_GIT } from "./excluded-from-git.ts";
import { noStateFolder } from "./no-state-folder.ts";
import { freezePrompts, frozenPrompts } from "./prompt-files.ts";
import type { SessionDraft } from "./session-draft.ts";
import { currentLink, sessionsDirectory, type FoundSession } from "../../workspace/sessions.ts";
import { stateDirectory } from "../../workspace/state-directory.ts";
import { buildHome } from "./build-home.ts";
import { Undo } from "./undo.ts";

/**
 * Creates a session: its branch at HEAD, its state directory, its home. All of it or nothing: the
 * home is built under a temporary name and renamed into place, and a failure undoes what was
 * created before; what a killed start left is removed by the next. Only the patterns in
 * `info/exclude` may remain; they are harmless.
 */
export async function createSession(world: World, draft: SessionDraft): Promise<FoundSession> {
  const undo = new Undo();
  try {
    return await make(world, draft, undo);
  } catch (thrown) {
    await undo.run();
    throw thrown;
  }
}

async function make(world: World, draft: SessionDraft, undo: Undo): Promise<FoundSession> {
  const { repository } = draft;
  const git = gitContext(world);
  need(excludeFromGit(git, repository, EXCLUDED_FROM_GIT));
  await clearKilledStarts(world, repository.directory);
  const start = new Start(world, draft);
  need(makeDirectory(world, sessionsDirectory(repository.directory), undo));
  undo.push(() => start.forget());
  const chosen = need(
    await makeBranch(world, repository, {
      branch: draft.branch,
      slug: draft.request.slug,
      note: startNote(start.name),
      announce: (wanted) => start.announce(wanted),
    }),
  );
  const place = { directory: repository.directory, branch: chosen.branch };
  undo.push(() => deleteBranch(git, place, repository.head));
  const session = sessionJson(world, draft, { ...chosen, state: start.state });
  const made = makeDirectory(world, session.state, undo);
  if (!made.ok) throw new CannotGoOn(noStateFolder(made.failure));
  // Before there is a home in which a role could be started.
  undo.push(() => world.host.directories.removeTree(frozenPrompts(session.state)));
  freezePrompts(world.host, session.state, draft.prompts);
  undo.push(() => world.host.directories.removeTree(refsDirectory(session)));
  const frozen = { directory: refsDirectory(session), base: session.base };
  need(await freezeRefs(git, { hub: repository.directory, frozen }, draft.refs));
  const home = buildHome(
    world,
    { session, request: draft.request.bytes, plan: draft.request.plan },
    {
      draft: start.directory,
      home: homeAt(join(sessionsDirectory(repository.directory), session.id)),
    },
  );
  undo.push(() => world.host.directories.removeTree(home.directory));
  // After the home: a copy without a home means a session whose home was removed.
  undo.push(() => world.host.files.remove(sessionCopyPath(session)));
  need(writeSessionCopy(world.host.files, { session }));
  need(pointToCurrent(draft, home));
  // With or without it, the session is complete and can be found.
  start.forget();
  return { home, session };
}

function sessionJson(
  { host }: World,
  draft: SessionDraft,
  { id, branch, state }: ChosenBranch & { readonly state: string },
): SessionJson {
  const createdAt = new Date(host.clock.nowMs()).toISOString();
  return { ...draft.settings, progress: 2, id, branch, createdAt, state };
}

/** A running start, and what it announced in case it is killed. */
class Start {
  readonly name = `.new-${randomUUID()}`;
  /** The home while it is being built. */
  readonly directory: string;
  #state = "";
  readonly #world: World;
  readonly #draft: SessionDraft;

  constructor(world: World, draft: SessionDraft) {
    this.#world = world;
    this.#draft = draft;
    this.directory = join(sessionsDirectory(draft.repository.directory), this.name);
  }

  /** Where the clones of the announced session will be. */
  get state(): string {
    return this.#state;
  }

  announce({ branch, id }: ChosenBranch): Result<void, FileFailure> {
    const { host, env } = this.#world;
    const { directory: repository, head: base } = this.#draft.repository;
    this.#state = stateDirectory(host.directories, env, { repository, id });
    const mark: StartMark = { by: ownMark(), branch, base, state: this.#state };
    const bytes = Buffer.from(`${JSON.stringify(mark)}\n`);
    return host.files.replace(startMarkPath(this.directory), bytes);
  }

  forget(): void {
    this.#world.host.files.remove(startMarkPath(this.directory));
  }
}

/** Creates a directory and its parents; the undo removes those that did not exist. */
function makeDirectory(
  { host: { files, directories } }: Pick<World, "host">,
  path: string,
  undo: Undo,
): Result<void, FileFailure> {
  let highest: string | undefined;
  for (let at = path; directories.kindOf(at) === undefined; at = dirname(at)) highest = at;
  if (highest === undefined) return files.makeDirectory(path);
  const top = highest;
  undo.push(() => {
    removeEmptyDirectories(path, top);
  });
  return files.makeDirectory(path);
}

/** The last step, so nothing undoes it. */
function pointToCurrent(
  { repository }: SessionDraft,
  { directory }: Home,
): Result<void, FileFailure> {
  const link = currentLink(repository.directory);
  const target = relative(dirname(link), directory);
  return pointLink(link, target);
}
