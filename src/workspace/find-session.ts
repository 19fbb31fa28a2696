import { NotARepository } from "../git/repository/repository.ts";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shown } from "../base/words/shown.ts";
import { dirname, relative, resolve } from "node:path";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { homeAt, type Home } from "../fs-protocol/home/home.ts";
import { readRevisionsLog } from "../fs-protocol/projections/revisions-log.ts";
import { readLink } from "../host/files/node-links.ts";
import { BeingStarted, startNamed } from "./starting-note.ts";
import {
  currentLink,
  listSessions,
  readSession,
  sessionsDirectory,
  workTreeAround,
  workTreesAround,
  type FoundSession,
  type SessionUnreadable,
} from "./sessions.ts";

/** The kinds of human.log records after which a session accepts no more commands. */
const CLOSING: ReadonlySet<string> = new Set(["done", "abandon", "reject"]);

interface Looked {
  /** The name as given; undefined if the newest session was meant. */
  readonly asked: string | undefined;
  readonly repository: string;
  readonly sessions: readonly { readonly id: string; readonly branch: string }[];
}

/** How many sessions are listed. */
const SESSIONS_MAX = 10;

/** There is no session of that name, or none at all; lists those that may be meant, else those that exist. */
export const NoSuchSession = refusal(
  "no-such-session",
  EXIT.noSuchSession,
  ({ asked, repository, sessions }: Looked) => {
    const here = shown(repository);
    const message =
      asked === undefined
        ? `There is no session in ${here}.`
        : `There is no session '${shown(asked)}' in ${here}.`;
    if (sessions.length === 0) return [message, "To start one:", "wisp start request.md"];
    const near = sessions.filter(({ id }) => asked !== undefined && id.includes(asked));
    const listed = (near.length > 0 ? near : sessions).slice(-SESSIONS_MAX);
    const title = near.length > 0 ? "Sessions with such a name:" : "Existing sessions:";
    return [message, title, ...listed.map(({ id }) => `wisp status ${id}`)];
  },
);

interface Elsewhere {
  readonly id: string;
  readonly repository: string;
  readonly here: string;
}

/** The session was created elsewhere: this is a copy of its repository, or the repository was moved. */
export const SessionElsewhere = refusal(
  "session-elsewhere",
  EXIT.failure,
  ({ id, repository, here }: Elsewhere) => [
    `The session ${id} belongs to ${shown(repository)}, not to ${shown(here)}.`,
    "The repository was copied or moved. The session's clones still expect " +
      "it at the old place: move it back, or start a new session.",
  ],
);

export type FindFailure =
  | ReturnType<typeof NoSuchSession>
  | ReturnType<typeof BeingStarted>
  | NotARepository
  | ReturnType<typeof SessionElsewhere>
  | SessionUnreadable
  | FileFailure;

/**
 * Finds the session that `asked` names by its id or branch. Without a name, the newest session that
 * is not closed or, if all are closed, the newest that is not a revision. Searches the work tree
 * around `cwd` and, if that is a linked one, the main one too.
 */
export function findSession(
  files: Files,
  cwd: string,
  asked: string | undefined,
): Result<FoundSession, FindFailure> {
  const top = workTreeAround(files, cwd);
  if (top === undefined) return fail(NotARepository({ directory: cwd }));
  const places = workTreesAround(files, top);
  const seen: FoundSession[] = [];
  for (const place of places) {
    const direct = foundDirectly(files, place, asked);
    if (direct !== undefined) return checkPlace(direct, place);
    const sessions = readSessions(files, place, asked);
    if (!sessions.ok) return sessions;
    const found = choose(files, { place, sessions: sessions.value, asked });
    if (found !== undefined) return checkPlace(found, place);
    seen.push(...sessions.value);
  }
  const start = startNamed(files, cwd, asked);
  if (start !== undefined) {
    return fail(BeingStarted({ id: start.id, executor: start.note.executor }));
  }
  const sessions = seen.map(({ session: { id, branch } }) => ({ id, branch }));
  return fail(NoSuchSession({ asked, repository: top, sessions }));
}

/**
 * The session whose home has the name, or to which the link leads, if no other session has to be read to choose it:
 * there may be any number of others.
 */
function foundDirectly(
  files: Files,
  place: string,
  asked: string | undefined,
): FoundSession | undefined {
  const homes = listSessions(files, place);
  if (!homes.ok) return undefined;
  const current = asked === undefined ? currentHome(place) : undefined;
  const home = homes.value.find((one) =>
    asked === undefined ? one.directory === current?.directory : nameIn(place, one) === asked,
  );
  const read = home && readSession(files, home);
  if (read?.ok !== true) return undefined;
  const { id, parent } = read.value.session;
  const isChosen =
    asked === undefined ? parent === undefined && !isClosed(files, read.value.home) : id === asked;
  return isChosen ? read.value : undefined;
}

/** The home to which the link of a repository leads. */
function currentHome(place: string): Home | undefined {
  const link = currentLink(place);
  const target = readLink(link);
  return target === undefined ? undefined : homeAt(resolve(dirname(link), target));
}

/** The session that a revision revises; for any other session, the session itself. */
export function topSession(
  files: Files,
  cwd: string,
  found: FoundSession,
): Result<FoundSession, FindFailure> {
  const { parent } = found.session;
  return parent === undefined ? ok(found) : findSession(files, cwd, parent.id);
}

/** Every session that can be named from `cwd`, oldest first and followed by its revisions, and homes without a session. */
export function allSessions(
  files: Files,
  cwd: string,
): Result<
  {
    readonly sessions: readonly FoundSession[];
    readonly damaged: readonly { readonly session: string; readonly problem: string }[];
  },
  FindFailure
> {
  const top = workTreeAround(files, cwd);
  if (top === undefined) return fail(NotARepository({ directory: cwd }));
  const sessions: FoundSession[] = [];
  const damaged: { readonly session: string; readonly problem: string }[] = [];
  const homes: (readonly [string, Home])[] = [];
  for (const place of workTreesAround(files, top)) {
    const listed = listSessions(files, place);
    if (!listed.ok) return listed;
    homes.push(...listed.value.map((home) => [place, home] as const));
  }
  for (const [place, home] of homes) {
    const read = readSession(files, home);
    const found = read.ok ? checkPlace(read.value, place) : read;
    if (found.ok) sessions.push(found.value);
    else damaged.push({ session: nameIn(place, home), problem: found.failure.kind });
  }
  return ok({ sessions: byFamily(sessions), damaged });
}

/** How many homes with a session, of whatever state, can be named from `cwd`. Reads none of them. */
export function countSessions(files: Files, cwd: string): number {
  const top = workTreeAround(files, cwd);
  if (top === undefined) return 0;
  const places = workTreesAround(files, top);
  const counts = places.map((place) => {
    const homes = listSessions(files, place);
    return homes.ok ? homes.value.length : 0;
  });
  return counts.reduce((sum, one) => sum + one, 0);
}

/** The id of a session: the path of its home relative to the directory of all homes. */
function nameIn(place: string, { directory }: Home): string {
  return relative(sessionsDirectory(place), directory);
}

function byFamily(sessions: readonly FoundSession[]): readonly FoundSession[] {
  const tops = sessions.filter(({ session }) => session.parent === undefined).sort(byTime);
  const names = new Set(tops.map(({ session }) => session.id));
  const revisionsOf = (id: string) =>
    sessions.filter(({ session }) => session.parent?.id === id).sort(byTime);
  // A revision whose parent cannot be read is still listed.
  const orphans = sessions.filter(
    ({ session }) => session.parent !== undefined && !names.has(session.parent.id),
  );
  return [...tops.flatMap((top) => [top, ...revisionsOf(top.session.id)]), ...orphans];
}

/** A damaged session fails only commands that name it; the other sessions stay reachable. */
function readSessions(
  files: Files,
  repository: string,
  asked: string | undefined,
): Result<readonly FoundSession[], FileFailure | SessionUnreadable> {
  const homes = listSessions(files, repository);
  if (!homes.ok) return homes;
  const found: FoundSession[] = [];
  for (const home of homes.value) {
    const read = readSession(files, home);
    if (read.ok) found.push(read.value);
    else if (nameIn(repository, home) === asked) return read;
  }
  return ok(found);
}

interface Choice {
  readonly place: string;
  readonly sessions: readonly FoundSession[];
  readonly asked: string | undefined;
}

function choose(files: Files, { place, sessions, asked }: Choice): FoundSession | undefined {
  if (asked !== undefined) {
    return (
      sessions.find(({ session }) => session.id === asked) ??
      sessions.find(({ session }) => session.branch === asked)
    );
  }
  const current = currentHome(place);
  const linked = sessions.find(({ home }) => home.directory === current?.directory);
  if (linked !== undefined && !isOver(files, linked, sessions)) return linked;
  const open = newest(sessions.filter((one) => !isOver(files, one, sessions)));
  const last = open ?? linked ?? newest(sessions);
  return open ?? parentOf(last, sessions) ?? last;
}

function parentOf(one: FoundSession | undefined, all: readonly FoundSession[]) {
  return all.find(({ session }) => session.id === one?.session.parent?.id);
}

/** A complete revision is part of its parent's work and is closed with it. Shipped work may still be revised. */
function isOver(
  files: Files,
  { home, session }: FoundSession,
  all: readonly FoundSession[],
): boolean {
  if (isClosed(files, home)) return true;
  const parent = parentOf({ home, session }, all);
  if (parent === undefined || !isClosed(files, parent.home)) return false;
  const complete = readRevisionsLog(files, parent.home.revisions);
  return complete.ok && complete.value.some(({ number }) => number === session.parent?.revision);
}

function newest(sessions: readonly FoundSession[]): FoundSession | undefined {
  return [...sessions].sort(byTime).at(-1);
}

function byTime(one: FoundSession, other: FoundSession): number {
  return Date.parse(one.session.createdAt) - Date.parse(other.session.createdAt);
}

/**
 * A home that was planted in a repository or copied with it names another place. wisp does not run its command lines or
 * touch its clones.
 */
function checkPlace(found: FoundSession, here: string): Result<FoundSession, FindFailure> {
  const { id, repository } = found.session;
  if (repository === here) return ok(found);
  return fail(SessionElsewhere({ id, repository, here }));
}

/**
 * Whether a person has closed a session for good, judged only by the record kinds in its human.log. That is enough to
 * choose a session when none is named. A session whose log cannot be read counts as open.
 */
function isClosed(files: Pick<Files, "read">, { humanLog }: Pick<Home, "humanLog">): boolean {
  const read = files.read(humanLog);
  if (!read.ok) return false;
  const lines = Buffer.from(read.value ?? [])
    .toString("utf8")
    .split("\n");
  return lines.some((line) => CLOSING.has(line.split(" ", 2)[1] ?? ""));
}
