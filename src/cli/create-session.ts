import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { writeCopy } from "../agents/keep-session.ts";
import { ok, type Result } from "../base/result.ts";
import type { FileFailure } from "../base/files.ts";
import type { GitFailure } from "../base/repo.ts";
import { homeAt, planPath, type Home } from "../fs-protocol/home.ts";
import { sessionCopyPath } from "../fs-protocol/kept-copy.ts";
import { encodeSession, type SessionJson } from "../fs-protocol/session-json.ts";
import { deleteBranch } from "../git/branches.ts";
import { excludeFromGit } from "../git/repository.ts";
import { firstPlan } from "./first-plan.ts";
import { removeEmptyDirectories } from "../host/empty-directories.ts";
import { pointLink } from "../host/node-links.ts";
import { ownMark } from "../host/process-mark.ts";
import { startMarkPath, type StartMark } from "../host/start-mark.ts";
import { makeBranch, type ChosenBranch } from "./choose-branch.ts";
import { clearKilledStarts, startNote } from "./clear-starts.ts";
import { gitContext, type Cli } from "./cli.ts";
import type { BranchFailure } from "./failures.ts";
import { EXCLUDED_FROM_GIT } from "./excluded-from-git.ts";
import { freezePrompts, frozenPrompts } from "./prompt-files.ts";
import type { SessionDraft } from "./session-draft.ts";
import { currentLink, sessionsDirectory, type FoundSession } from "./sessions.ts";
import { stateDirectory } from "./state-directory.ts";
import { Undo } from "./undo.ts";

export type CreateFailure = BranchFailure | FileFailure | GitFailure;

/**
 * Makes a session: its branch at HEAD, its state directory, its home. All of it or nothing: the home is
 * built under a name that nobody looks at and renamed into place, and whatever fails takes back what
 * was made before; what a killed one left, the next takes away. Only the patterns in `info/exclude` may stay; they do no harm.
 */
export async function createSession(
  cli: Cli,
  draft: SessionDraft,
): Promise<Result<FoundSession, CreateFailure>> {
  const undo = new Undo();
  const made = await make(cli, draft, undo);
  if (!made.ok) await undo.run();
  return made;
}

async function make(
  cli: Cli,
  draft: SessionDraft,
  undo: Undo,
): Promise<Result<FoundSession, CreateFailure>> {
  const { repository } = draft;
  const git = gitContext(cli);
  const excluded = excludeFromGit(git, repository, EXCLUDED_FROM_GIT);
  if (!excluded.ok) return excluded;
  await clearKilledStarts(cli, repository.directory);
  const start = new Start(cli, draft);
  const parent = makeDirectory(cli, sessionsDirectory(repository.directory), undo);
  if (!parent.ok) return parent;
  undo.push(() => start.forget());
  const chosen = await makeBranch(cli, repository, {
    branch: draft.branch,
    slug: draft.request.slug,
    note: startNote(start.name),
    announce: (wanted) => start.announce(wanted),
  });
  if (!chosen.ok) return chosen;
  const place = { directory: repository.directory, branch: chosen.value.branch };
  undo.push(() => deleteBranch(git, place, repository.head));
  const session = sessionJson(cli, draft, { ...chosen.value, state: start.state });
  const state = makeDirectory(cli, session.state, undo);
  if (!state.ok) return state;
  // Before there is a home that a role could be started in.
  undo.push(() => cli.host.directories.removeTree(frozenPrompts(session.state)));
  const frozen = freezePrompts(cli.host, session.state, draft.prompts);
  if (!frozen.ok) return frozen;
  const home = makeHome(cli, draft, { session, undo, directory: start.directory });
  if (!home.ok) return home;
  // After it: a copy without a home is of a session whose home was removed.
  undo.push(() => cli.host.files.remove(sessionCopyPath(session)));
  const copied = writeCopy(cli.host.files, { session });
  if (!copied.ok) return copied;
  const current = pointToCurrent(draft, home.value);
  if (!current.ok) return current;
  // The session is made, and can be found, with or without it.
  start.forget();
  return ok({ home: home.value, session });
}

function sessionJson(
  { host }: Cli,
  draft: SessionDraft,
  { id, branch, state }: ChosenBranch & { readonly state: string },
): SessionJson {
  const createdAt = new Date(host.clock.nowMs()).toISOString();
  return { ...draft.settings, progress: 2, id, branch, createdAt, state };
}

/** A start that is at work, and what it says of itself for the case that it is killed. */
class Start {
  readonly name = `.new-${randomUUID()}`;
  /** The home while it is being made. */
  readonly directory: string;
  #state = "";
  readonly #cli: Cli;
  readonly #draft: SessionDraft;

  constructor(cli: Cli, draft: SessionDraft) {
    this.#cli = cli;
    this.#draft = draft;
    this.directory = join(sessionsDirectory(draft.repository.directory), this.name);
  }

  /** Where the clones of the announced session are to be. */
  get state(): string {
    return this.#state;
  }

  announce({ branch, id }: ChosenBranch): Result<void, FileFailure> {
    const { host, env } = this.#cli;
    const { directory: repository, head: base } = this.#draft.repository;
    this.#state = stateDirectory(host.directories, env, { repository, id });
    const mark: StartMark = { by: ownMark(), branch, base, state: this.#state };
    const bytes = Buffer.from(`${JSON.stringify(mark)}\n`);
    return host.files.replace(startMarkPath(this.directory), bytes);
  }

  forget(): void {
    this.#cli.host.files.remove(startMarkPath(this.directory));
  }
}

function makeHome(
  { host }: Cli,
  { repository, request }: SessionDraft,
  {
    session,
    undo,
    directory,
  }: { readonly session: SessionJson; readonly undo: Undo; readonly directory: string },
): Result<Home, FileFailure> {
  const { files, directories } = host;
  const draft = homeAt(directory);
  undo.push(() => directories.removeTree(draft.directory));
  for (const directory of [draft.directory, draft.plans, draft.logs, draft.turns, draft.locks]) {
    const below = files.makeDirectory(directory);
    if (!below.ok) return below;
  }
  const text = encodeSession(session);
  const plan = request.plan && firstPlan(request.plan, session.createdAt);
  const contents = [
    [draft.sessionJson, Buffer.from(text)],
    [draft.request, request.bytes],
    ...(plan === undefined ? [] : [[planPath(draft, plan.sha256), plan.bytes] as const]),
    // There from the start, so that `tail -f` finds them.
    [draft.milestones, Buffer.alloc(0)],
    [draft.reviews, Buffer.alloc(0)],
    [draft.bugs, Buffer.alloc(0)],
    [draft.humanLog, Buffer.from(plan?.record ?? "")],
  ] as const;
  for (const [path, bytes] of contents) {
    const written = files.create(path, bytes);
    if (!written.ok) return written;
  }
  const home = homeAt(join(sessionsDirectory(repository.directory), session.id));
  const placed = directories.move(draft.directory, home.directory);
  if (!placed.ok) return placed;
  undo.push(() => directories.removeTree(home.directory));
  return ok(home);
}

/** Makes a directory and those above it; the undo takes away those that were not there. */
function makeDirectory(
  { host: { files, directories } }: Pick<Cli, "host">,
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

/** The last step, which therefore nothing takes back. */
function pointToCurrent(
  { repository }: SessionDraft,
  { directory }: Home,
): Result<void, FileFailure> {
  const link = currentLink(repository.directory);
  const target = relative(dirname(link), directory);
  return pointLink(link, target);
}
