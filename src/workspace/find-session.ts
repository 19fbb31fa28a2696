import { NotARepository } from "../git/repository/repository.ts";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shown } from "../base/words/shown.ts";
import { basename, dirname, relative, resolve } from "node:path";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { homeAt, type Home } from "../fs-protocol/home/home.ts";
import { readRevisionsLog } from "../fs-protocol/projections/revisions-log.ts";
import { locateGitDirectory } from "../git/command/git-directory.ts";
import { readLink } from "../host/files/node-links.ts";
import {
  currentLink,
  listSessions,
  readSession,
  sessionsDirectory,
  workTreeAround,
  type FoundSession,
  type SessionUnreadable,
} from "./sessions.ts";

/** Kinds of records of human.log after which nobody can say anything more to a session. */
const CLOSING: ReadonlySet<string> = new Set(["done", "abandon", "reject"]);

interface Looked {
  /** As given; undefined when the newest was meant. */
  readonly asked: string | undefined;
  readonly repository: string;
  readonly sessions: readonly { readonly id: string; readonly branch: string }[];
}

/** So many sessions are listed. */
const SESSIONS_MAX = 10;

/** None of that name, or none at all; with what there is. */
export const NoSuchSession = refusal(
  "no-such-session",
  EXIT.noSuchSession,
  ({ asked, repository, sessions }: Looked) => {
    const here = shown(repository);
    const message =
      asked === undefined
        ? `There is no session in ${here}.`
        : `There is no session '${shown(asked)}' in ${here}.`;
    if (sessions.length === 0) return [message, "To make one:", "wisp start request.md"];
    const listed = sessions.slice(-SESSIONS_MAX).map(({ id }) => `wisp status ${id}`);
    return [message, "There are:", ...listed];
  },
);

interface Elsewhere {
  readonly id: string;
  readonly repository: string;
  readonly here: string;
}

/** The session was made in another place: this is a copy of its repository, or it was moved. */
export const SessionElsewhere = refusal(
  "session-elsewhere",
  EXIT.failure,
  ({ id, repository, here }: Elsewhere) => [
    `The session ${id} belongs to ${shown(repository)}, not to ${shown(here)}.`,
    "It came here with a copy of the repository, or the repository was moved. Its clones still look " +
      "for it at the old place: move it back, or start a new session.",
  ],
);

export type FindFailure =
  | ReturnType<typeof NoSuchSession>
  | NotARepository
  | ReturnType<typeof SessionElsewhere>
  | SessionUnreadable
  | FileFailure;

/**
 * The session that `asked` names by its id or branch; without a name the one that was made last and that
 * nobody has closed, and only where all are closed the last of all that is no revision.
 * Looked for in the work tree around `cwd` and, when that is a linked one, in the main one as well.
 */
export function findSession(
  files: Files,
  cwd: string,
  asked: string | undefined,
): Result<FoundSession, FindFailure> {
  const top = workTreeAround(files, cwd);
  if (top === undefined) return fail(NotARepository({ directory: cwd }));
  const places = [...new Set([top, mainWorkTree(files, top)])];
  const seen: FoundSession[] = [];
  for (const place of places) {
    const sessions = readSessions(files, place, asked);
    if (!sessions.ok) return sessions;
    const found = choose(files, { place, sessions: sessions.value, asked });
    if (found !== undefined) return checkPlace(found, place);
    seen.push(...sessions.value);
  }
  const sessions = seen.map(({ session: { id, branch } }) => ({ id, branch }));
  return fail(NoSuchSession({ asked, repository: top, sessions }));
}

/** The session that a revision mends; of any other the session itself. */
export function topSession(
  files: Files,
  cwd: string,
  found: FoundSession,
): Result<FoundSession, FindFailure> {
  const { parent } = found.session;
  return parent === undefined ? ok(found) : findSession(files, cwd, parent.id);
}

/** Every session that can be named from `cwd`, the oldest first, each followed by its revisions, and homes that hold none. */
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
  for (const place of new Set([top, mainWorkTree(files, top)])) {
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

/** As a session is named: the path of its home below all homes. */
function nameIn(place: string, { directory }: Home): string {
  return relative(sessionsDirectory(place), directory);
}

function byFamily(sessions: readonly FoundSession[]): readonly FoundSession[] {
  const tops = sessions.filter(({ session }) => session.parent === undefined).sort(byTime);
  const names = new Set(tops.map(({ session }) => session.id));
  const revisionsOf = (id: string) =>
    sessions.filter(({ session }) => session.parent?.id === id).sort(byTime);
  // One whose parent cannot be read is not left out.
  const orphans = sessions.filter(
    ({ session }) => session.parent !== undefined && !names.has(session.parent.id),
  );
  return [...tops.flatMap((top) => [top, ...revisionsOf(top.session.id)]), ...orphans];
}

/** The work tree that the common git directory lies in; `top` itself when that is the main one. */
function mainWorkTree(files: Files, top: string): string {
  const located = locateGitDirectory(files, top);
  if (located === undefined || basename(located.commonDirectory) !== ".git") return top;
  return dirname(located.commonDirectory);
}

/** A damaged session stops only those who ask for it: the others stay reachable. */
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
  const link = currentLink(place);
  const target = readLink(link);
  const current = target === undefined ? undefined : homeAt(resolve(dirname(link), target));
  const linked = sessions.find(({ home }) => home.directory === current?.directory);
  if (linked !== undefined && !isOver(files, linked, sessions)) return linked;
  const open = newest(sessions.filter((one) => !isOver(files, one, sessions)));
  const last = open ?? linked ?? newest(sessions);
  return open ?? parentOf(last, sessions) ?? last;
}

function parentOf(one: FoundSession | undefined, all: readonly FoundSession[]) {
  return all.find(({ session }) => session.id === one?.session.parent?.id);
}

/** A complete revision is part of its parent's work: it is closed with it. What was taken may be revised all the same. */
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
 * A home that was planted in a repository, or copied with it, names another place: its command lines
 * are not run, its clones are not touched.
 */
function checkPlace(found: FoundSession, here: string): Result<FoundSession, FindFailure> {
  const { id, repository } = found.session;
  if (repository === here) return ok(found);
  return fail(SessionElsewhere({ id, repository, here }));
}

/**
 * Whether a person has closed a session for good, by the kinds of the lines of its human.log alone: enough to
 * choose the session that is meant where nobody names one. One that cannot be read is not closed.
 */
function isClosed(files: Pick<Files, "read">, { humanLog }: Pick<Home, "humanLog">): boolean {
  const read = files.read(humanLog);
  if (!read.ok) return false;
  const lines = Buffer.from(read.value ?? [])
    .toString("utf8")
    .split("\n");
  return lines.some((line) => CLOSING.has(line.split(" ", 2)[1] ?? ""));
}
