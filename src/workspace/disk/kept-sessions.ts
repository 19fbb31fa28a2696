import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { FoundSession } from "../sessions.ts";
import { sessionsDirectory, workTreeAround, workTreesAround } from "../sessions.ts";
import { allSessions } from "../find-session.ts";
import { sessionAt } from "../removed-homes.ts";
import { repositoryState, stateRoot } from "../state-directory.ts";
import type { World } from "../world.ts";
import { entryKind } from "../../host/files/entry-kind.ts";

type Looker = Pick<World, "host" | "env" | "cwd">;

/** A session with all that the disk has of it; its revisions are parts of it. */
export interface KeptSession {
  readonly found: FoundSession;
  readonly revisions: readonly FoundSession[];
  /** Where its home is: in the repository, nowhere because it was removed, or nowhere because the repository is gone. */
  readonly at: "home" | "state" | "orphan";
}

/** What the disk has of sessions: those of this repository, and those whose repository is gone. */
export interface KeptOnDisk {
  readonly sessions: readonly KeptSession[];
  /** Homes whose session cannot be read. */
  readonly unreadable: readonly { readonly session: string; readonly problem: string }[];
  /** Folders in the state directory of this repository that no session claims. */
  readonly unclaimed: readonly string[];
  /** The work trees of this repository in which sessions may be; empty outside of a repository. */
  readonly repositories: readonly string[];
}

/** Looks for all of it, oldest session first. Follows no link, and starts no process. */
export function keptOnDisk(world: Looker): KeptOnDisk {
  const { files } = world.host;
  const repositories = repositoriesAround(world);
  const listed = repositories.length === 0 ? undefined : allSessions(files, world.cwd);
  const sessions = listed?.ok === true ? listed.value.sessions : [];
  const present = sessions.flatMap((found): KeptSession[] => {
    if (found.session.parent !== undefined) return [];
    const revisions = sessions.filter(({ session }) => session.parent?.id === found.session.id);
    return [{ found, revisions, at: "home" }];
  });
  const claimed = new Set(present.map(({ found }) => found.session.state));
  const states = repositories.flatMap((one) => foldersIn(world, repositoryState(world.env, one)));
  const others = states.filter((state) => !claimed.has(state));
  const removed = others.flatMap((state) => withoutHome(files, state, repositories));
  const known = new Set(removed.map(({ found }) => found.session.state));
  const all = [...present, ...removed, ...orphans(world, repositories)];
  return {
    sessions: all.sort((one, other) => madeMs(one) - madeMs(other)),
    unreadable: listed?.ok === true ? listed.value.damaged : [],
    unclaimed: others.filter((state) => !known.has(state)),
    repositories,
  };
}

function madeMs({ found }: KeptSession): number {
  return Date.parse(found.session.createdAt);
}

function repositoriesAround({ host: { files }, cwd }: Looker): readonly string[] {
  const top = workTreeAround(files, cwd);
  return top === undefined ? [] : workTreesAround(files, top);
}

/** The folders in a folder but those whose names begin with a dot, which are no session's. */
function foldersIn({ host: { directories } }: Looker, above: string): readonly string[] {
  const entries =
    directories.kindOf(above) === "directory" ? directories.entries(above) : undefined;
  if (entries?.ok !== true) return [];
  return entries.value
    .filter(({ name, kind }) => kind === "directory" && !name.startsWith("."))
    .map(({ name }) => join(above, name));
}

/** A session that only the state directory knows. */
function withoutHome(
  files: Files,
  state: string,
  repositories: readonly string[],
): readonly KeptSession[] {
  const found = sessionAt(files, state);
  if (found === undefined || !repositories.includes(found.session.repository)) return [];
  return [{ found, revisions: [], at: "state" }];
}

/** Sessions of repositories that do not exist any more. */
function orphans(world: Looker, present: readonly string[]): readonly KeptSession[] {
  const own = new Set(present.map((one) => repositoryState(world.env, one)));
  const folders = foldersIn(world, stateRoot(world.env)).filter((one) => !own.has(one));
  return folders.flatMap((folder) =>
    foldersIn(world, folder).flatMap((state): KeptSession[] => {
      const found = sessionAt(world.host.files, state);
      if (found === undefined) return [];
      const { repository } = found.session;
      const isOwn = repositoryState(world.env, repository) === folder;
      const isGone = entryKind(join(repository, ".git")) === undefined;
      return isOwn && isGone ? [{ found, revisions: [], at: "orphan" }] : [];
    }),
  );
}

/**
 * Whether a path of a home belongs to the session: a later session may have the same name, and so the same place, if the
 * home of this one was removed.
 */
export function ownsHome({ found, at }: KeptSession): boolean {
  if (at === "orphan") return false;
  return at === "home" || entryKind(found.home.sessionJson) === undefined;
}

/** Folders in which homes are, whether or not there are any. */
export function homeFolders(repositories: readonly string[]): readonly string[] {
  return repositories.map(sessionsDirectory);
}
