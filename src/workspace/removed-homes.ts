import { dirname, join } from "node:path";
import type { Files } from "../base/ports/files.ts";
import { EMPTY_HUMAN, foldHuman } from "../session/state/fold-human.ts";
import { HumanRecord } from "../fs-protocol/records/human-log.ts";
import { homeAt, revisionNumber } from "../fs-protocol/home/home.ts";
import { sessionCopyPath, copyPath } from "../fs-protocol/home/copy-path.ts";
import { LogFold } from "../fs-protocol/codec/log-fold.ts";
import { SessionJson } from "../fs-protocol/home/session-json.ts";
import { namesIn } from "../host/files/entry-kind.ts";
import type { World } from "./world.ts";
import { findSession, type FindFailure } from "./find-session.ts";
import { readSession, sessionsDirectory, workTreeAround, type FoundSession } from "./sessions.ts";
import { repositoryState } from "./state-directory.ts";
import { fail, type Result } from "../base/result.ts";

type Looker = Pick<World, "host" | "env" | "cwd">;

/**
 * Sessions that the state directory lists although their home or its `session.json` was removed, oldest first. Closed
 * sessions are left out.
 */
export function removedSessions(world: Looker): readonly FoundSession[] {
  return removedAmong(world, (above) =>
    namesIn(above).flatMap((name) => {
      const state = join(above, name);
      return [state, ...revisionStates(state)];
    }),
  );
}

/** The removed revisions of a session. */
export function removedRevisions(
  world: Looker,
  { id, state }: Pick<SessionJson, "id" | "state">,
): readonly FoundSession[] {
  const removed = removedAmong(world, (above) =>
    dirname(state) === above ? revisionStates(state) : [],
  );
  return removed.filter(({ session }) => session.parent?.id === id);
}

/** The state directories of the revisions of the session that has this one. */
function revisionStates(state: string): readonly string[] {
  const names = namesIn(state).filter((one) => revisionNumber(one) !== undefined);
  return names.map((one) => join(state, one));
}

function removedAmong(
  { host, env, cwd }: Looker,
  statesIn: (above: string) => readonly string[],
): readonly FoundSession[] {
  const { files } = host;
  const repository = workTreeAround(files, cwd);
  if (repository === undefined) return [];
  return statesIn(repositoryState(env, repository))
    .flatMap((state) => sessionAt(files, state) ?? [])
    .filter((found) => found.session.repository === repository && isRemoved(files, found))
    .sort((one, other) => Date.parse(one.session.createdAt) - Date.parse(other.session.createdAt));
}

/**
 * Like `findSession`, but also finds a session whose home was removed, for callers that can restore
 * the home.
 */
export function findRepairable(
  world: Looker,
  asked: string | undefined,
): Result<FoundSession, FindFailure> {
  const found = findSession(world.host.files, world.cwd, asked);
  if (found.ok) return found;
  const removed = removedSession(world, asked);
  return removed === undefined ? fail(found.failure) : { ok: true, value: removed };
}

/** The removed session with that id or branch; without a name, the newest. */
export function removedSession(world: Looker, asked: string | undefined): FoundSession | undefined {
  return removedSessions(world).findLast(
    ({ session }) => asked === undefined || session.id === asked || session.branch === asked,
  );
}

/** The session in the copy of a state directory, if it belongs to that state directory. */
export function sessionAt(files: Files, state: string): FoundSession | undefined {
  const read = files.read(sessionCopyPath({ state }));
  if (!read.ok || read.value === undefined) return undefined;
  const parsed = SessionJson.safeParse(jsonOf(read.value), { jitless: true });
  if (!parsed.success || parsed.data.state !== state) return undefined;
  const session = parsed.data;
  return { home: homeAt(join(sessionsDirectory(session.repository), session.id)), session };
}

function isRemoved(files: Files, { home, session }: FoundSession): boolean {
  const present = readSession(files, home);
  // A newer session has the same name, or a later version of wisp continues this one.
  if (present.ok || present.failure.kind === "session-later") return false;
  const human = new LogFold({
    files,
    path: copyPath(session, "humanLog"),
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  }).refresh();
  return !human.ok || human.value.closed === undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
