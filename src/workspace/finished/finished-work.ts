import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { decodeDiffId, encodeDiffId } from "../../session/rules/diff-id.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { parentHome } from "../../fs-protocol/home/home.ts";
import { isOver, reviewState, type ReviewState } from "../../session/rules/review-machine.ts";
import type { ReadFailure } from "../../session/state/session-reader.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { sessionClosed, type SessionClosed } from "../session/append-human.ts";
import type { World } from "../world.ts";
import { findSession, type FindFailure } from "../find-session.ts";
import type { WorkPart } from "./later-commits.ts";
import { readState } from "../session/read-state.ts";
import { readSession, type FoundSession, type SessionUnreadable } from "../sessions.ts";

/** A session or a revision with its current state. */
export interface ReadSession {
  readonly found: FoundSession;
  readonly state: SessionState;
}

/** The work under review: a session with all its revisions, which share its branch. */
export interface FinishedWork extends ReadSession {
  /** Ordered by revision number. */
  readonly revisions: readonly ReadSession[];
  readonly stage: ReviewState;
  /** Head of the branch; undefined if the branch is gone. */
  readonly head: Oid | undefined;
  /** Also undefined if the branch is gone. */
  readonly diffId: string | undefined;
}

interface Stale {
  readonly session: string;
  readonly asked: string;
  /** The current diff id; undefined if the branch is gone. */
  readonly now: string | undefined;
}

/** The work has changed since the reviewed diff. */
export const StaleDiff = refusal("stale-diff", EXIT.usage, ({ session, asked, now }: Stale) => [
  `${shown(asked)} is not the current version of the work of ${shown(session)}` +
    (now === undefined ? "; its branch is gone." : `: the current one is ${now}.`),
  "Nothing was done. Review the current version, then repeat the command:",
  `wisp review ${shellWord(session)}`,
]);

export type WorkFailure =
  | FileFailure
  | FindFailure
  | ReadFailure
  | SessionClosed
  | SessionUnreadable
  | ReturnType<typeof StaleDiff>;

/** Names the work by a session, or by a reviewed diff that must not have changed since. */
export interface WorkWords {
  readonly session?: string | undefined;
  readonly diffId?: string | undefined;
}

/** Finds the work that a session, or a revision of it, belongs to, and reads all of it. */
export async function readWork(
  world: World,
  { session, diffId }: WorkWords,
): Promise<FinishedWork> {
  const reviewed = diffId === undefined ? undefined : decodeDiffId(diffId);
  const found = need(findTop(world, session ?? reviewed?.session));
  const work = need(await readFound(world, found));
  if (diffId === undefined) return work;
  const top = reviewed === undefined ? undefined : findTop(world, reviewed.session);
  const isOfThis = top?.ok === true && top.value.session.id === found.session.id;
  if (isOfThis && reviewed?.head === work.head) return work;
  const { id } = found.session;
  const { closed } = work.state.human;
  // A missing branch has a cause that must be reported.
  if (isOfThis && closed !== undefined) throw new CannotGoOn(sessionClosed(id, closed));
  throw new CannotGoOn(StaleDiff({ session: id, asked: diffId, now: work.diffId }));
}

/** A revision is part of the work of the session that it revises. */
function findTop(world: World, asked: string | undefined): Result<FoundSession, WorkFailure> {
  const found = findSession(world.host.files, world.cwd, asked);
  if (!found.ok || found.value.session.parent === undefined) return found;
  return readSession(world.host.files, parentHome(found.value.home));
}

/**
 * Reads a session that is not a revision, with all its revisions.
 *
 * @param known its state, if it was just read
 */
export async function readFound(
  world: Pick<World, "host" | "env" | "program">,
  found: FoundSession,
  known?: SessionState,
): Promise<Result<FinishedWork, WorkFailure>> {
  const homes = revisionHomes(world.host.files, found.home);
  if (!homes.ok) return homes;
  const revisions: ReadSession[] = [];
  for (const home of homes.value) {
    const revision = readSession(world.host.files, home);
    if (!revision.ok) return revision;
    const read = await readState(world, revision.value);
    if (!read.ok) return read;
    revisions.push({ found: revision.value, state: read.value.state });
  }
  const read = known === undefined ? await readState(world, found) : ok({ state: known });
  if (!read.ok) return read;
  const { state } = read.value;
  const { head } = state.branch;
  const stage = reviewState(
    state,
    revisions.map((revision) => revision.state),
  );
  const diffId = head && encodeDiffId({ session: found.session.id, head });
  return ok({ found, state, revisions, stage, head, diffId });
}

/** The session, followed by its revisions, ordered by number. */
export function partsOf({ found, state, revisions }: FinishedWork): readonly WorkPart[] {
  return [{ found, state }, ...revisions].map((one) => {
    return { session: one.found.session, state: one.state };
  });
}

/** The part being worked on: the newest revision if it has not ended, otherwise the session itself. */
export function activeOf(work: FinishedWork): ReadSession {
  const newest = work.revisions.at(-1);
  return newest === undefined || isOver(newest.state) ? work : newest;
}
