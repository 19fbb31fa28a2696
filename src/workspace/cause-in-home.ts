import type { WorldFailure } from "../base/fatal.ts";
import { FileFailure } from "../base/ports/files.ts";
import { entryKind } from "../host/files/entry-kind.ts";
import type { World } from "./world.ts";
import { HomeDamaged, HomeRemoved } from "./home-failures.ts";
import { lostLogs, oddEntries } from "./home/home-shape.ts";
import { shownPath } from "./shown-path.ts";
import { removedSession, removedSessions } from "./removed-homes.ts";
import { allSessions, NoSuchSession } from "./find-session.ts";
import { type FoundSession, SessionDamaged } from "./sessions.ts";

type Looker = Pick<World, "host" | "env" | "cwd">;

/** The errors of a path that holds something other than the expected file or directory. */
const ODD_ERRNOS: ReadonlySet<string> = new Set(["ELOOP", "EISDIR", "ENXIO", "ENOTDIR", "EEXIST"]);

/**
 * Replaces a failure with its cause if a session's home is damaged or removed. The cause lists everything odd in the
 * home, not just the first unreadable file, or says that the home was removed, not that there is no such session.
 */
export function causeInHome(world: Looker, failure: WorldFailure): WorldFailure {
  if (FileFailure.is(failure)) {
    return ODD_ERRNOS.has(failure.errno) ? (oddBehind(world, failure) ?? failure) : failure;
  }
  if (NoSuchSession.is(failure)) return removedBehind(world, failure.asked) ?? failure;
  if (!SessionDamaged.is(failure)) return failure;
  const of = removedSessions(world).find(({ home }) => home.sessionJson === failure.path);
  return of === undefined ? failure : homeRemoved(of);
}

function oddBehind(world: Looker, { path }: FileFailure): HomeDamaged | undefined {
  const all = allSessions(world.host.files, world.cwd);
  const sessions = [...(all.ok ? all.value.sessions : []), ...removedSessions(world)];
  const of = sessions.filter(
    ({ home, session }) =>
      path === home.directory ||
      path.startsWith(`${home.directory}/`) ||
      path.startsWith(`${session.state}/`),
  );
  // The home of a revision is inside its parent's home.
  const innermost = of
    .sort((one, other) => one.home.directory.length - other.home.directory.length)
    .at(-1);
  return innermost === undefined ? undefined : homeDamaged(innermost);
}

/** The damage of a home; undefined if nothing in it is odd and no log is lost. */
export function homeDamaged(found: FoundSession): HomeDamaged | undefined {
  const { home, session } = found;
  const odd = oddEntries(found).map(({ path, is, expected }) => ({
    path: shownPath(home, path),
    is,
    expected,
  }));
  const lost = lostLogs(found).map((path) => shownPath(home, path));
  if (odd.length + lost.length === 0) return undefined;
  return HomeDamaged({ session: session.id, branch: session.branch, odd, lost });
}

function removedBehind(world: Looker, asked: string | undefined): HomeRemoved | undefined {
  const of = removedSession(world, asked);
  return of === undefined ? undefined : homeRemoved(of);
}

/** The failure for a missing home or `session.json`. */
function homeRemoved({ home, session }: FoundSession): HomeRemoved {
  const { id, branch, repository } = session;
  const isWhole = entryKind(home.directory) === undefined;
  const missing = isWhole ? home.directory : home.sessionJson;
  return HomeRemoved({ session: id, branch, repository, missing });
}
