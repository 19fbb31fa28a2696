import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { ok, type Result } from "../base/result.ts";
import type { FileFailure } from "../base/files.ts";
import type { GitFailure } from "../base/repo.ts";
import { homeAt, type Home } from "../fs-protocol/home.ts";
import { SessionJson } from "../fs-protocol/session-json.ts";
import { deleteBranch } from "../git/branches.ts";
import { excludeFromGit } from "../git/repository.ts";
import { removeEmptyDirectories } from "../host/empty-directories.ts";
import { pointLink } from "../host/node-links.ts";
import { makeBranch, type ChosenBranch } from "./choose-branch.ts";
import { gitContext, type Cli } from "./cli.ts";
import type { BranchFailure } from "./failures.ts";
import type { SessionDraft } from "./session-draft.ts";
import { currentLink, sessionsDirectory, type FoundSession } from "./sessions.ts";
import { stateDirectory } from "./state-directory.ts";
import { Undo } from "./undo.ts";

/** What of `.wisp` is never committed (design, "Kept out of git"). */
const EXCLUDED = [".wisp/sessions/", ".wisp/current", ".wisp/*-changes.md"];

export type CreateFailure = BranchFailure | FileFailure | GitFailure;

/**
 * Makes a session: its branch at HEAD, its state directory, its home. All of it or nothing: the home is
 * built under a name that nobody looks at and renamed into place, and whatever fails takes back what
 * was made before. Only the patterns in `info/exclude` may stay; they do no harm.
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
  const excluded = excludeFromGit(git, repository, EXCLUDED);
  if (!excluded.ok) return excluded;
  const chosen = await makeBranch(cli, repository, { ...draft, slug: draft.request.slug });
  if (!chosen.ok) return chosen;
  const place = { directory: repository.directory, branch: chosen.value.branch };
  undo.push(() => deleteBranch(git, place, repository.head));
  const session = sessionJson(cli, draft, chosen.value);
  const state = makeDirectory(cli, session.state, undo);
  if (!state.ok) return state;
  const home = makeHome(cli, draft, { session, undo });
  if (!home.ok) return home;
  const current = pointToCurrent(draft, home.value);
  return current.ok ? ok({ home: home.value, session }) : current;
}

function sessionJson(cli: Cli, draft: SessionDraft, { id, branch }: ChosenBranch): SessionJson {
  const { host, env } = cli;
  const repository = draft.repository.directory;
  return {
    ...draft.settings,
    id,
    branch,
    createdAt: new Date(host.clock.nowMs()).toISOString(),
    state: stateDirectory(host.directories, env, { repository, id }),
  };
}

function makeHome(
  { host }: Cli,
  { repository, request }: SessionDraft,
  { session, undo }: { readonly session: SessionJson; readonly undo: Undo },
): Result<Home, FileFailure> {
  const { files, directories } = host;
  const parent = sessionsDirectory(repository.directory);
  const made = makeDirectory({ host }, parent, undo);
  if (!made.ok) return made;
  const draft = homeAt(join(parent, `.new-${randomUUID()}`));
  undo.push(() => directories.removeTree(draft.directory));
  for (const directory of [draft.directory, draft.plans, draft.logs, draft.turns, draft.locks]) {
    const below = files.makeDirectory(directory);
    if (!below.ok) return below;
  }
  const text = `${JSON.stringify(SessionJson.parse(session), undefined, 2)}\n`;
  const contents = [
    [draft.sessionJson, Buffer.from(text)],
    [draft.request, request.bytes],
    // There from the start, so that `tail -f` finds them.
    ...[draft.milestones, draft.humanLog].map((path) => [path, Buffer.alloc(0)] as const),
  ] as const;
  for (const [path, bytes] of contents) {
    const written = files.create(path, bytes);
    if (!written.ok) return written;
  }
  const home = homeAt(join(parent, session.id));
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
