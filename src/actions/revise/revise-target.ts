import { CannotGoOn, need } from "../../base/fatal.ts";
import { IsRevision, RevisionUnfinished } from "./revision-failures.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { sessionClosed } from "../../workspace/session/append-human.ts";
import { branchRewritten, isRewritten } from "../../workspace/branch-rewritten.ts";
import type { World } from "../../workspace/world.ts";
import { unfinishedRevision } from "./create-revision.ts";
import { findSession, topSession } from "../../workspace/find-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** A session that can be revised, with its current state. */
export interface Revisable {
  readonly found: FoundSession;
  readonly state: SessionState;
}

/**
 * The session to revise: its work must not be abandoned or rejected, and it must have no unfinished
 * revision. If none is named and the newest is a revision, its parent is meant.
 */
export async function findRevisable(world: World, asked: string | undefined): Promise<Revisable> {
  const named = need(findSession(world.host.files, world.cwd, asked));
  const { parent, id } = named.session;
  if (parent !== undefined && asked !== undefined) {
    throw new CannotGoOn(IsRevision({ session: id, parent: parent.id, asked: "revise" }));
  }
  const found = need(topSession(world.host.files, world.cwd, named));
  const read = need(await readState(world, found));
  const { state } = read;
  const { closed } = state.human;
  const session = found.session.id;
  if (closed !== undefined && closed.how !== "done")
    throw new CannotGoOn(sessionClosed(session, closed));
  const unfinished = await unfinishedRevision(world, found);
  if (unfinished !== undefined) {
    const revision = unfinished.session.id;
    throw new CannotGoOn(RevisionUnfinished({ session, revision }));
  }
  if (isRewritten(state) || state.branch.head === undefined) {
    throw new CannotGoOn(await branchRewritten(world, found, state));
  }
  return { found, state };
}

/** `Warning: 3 stories still pending`, if some are (seed 000, US-001). */
export function pendingWarning(state: SessionState): string | undefined {
  const { builder } = state;
  const finished = new Set(builder.milestones.map(({ name }) => name));
  const pending = builder.plan.filter(({ name }) => !finished.has(name)).length;
  if (pending === 0) {
    return endOf(state)?.how === "complete" ? undefined : "Warning: its work is not complete";
  }
  return `Warning: ${String(pending)} ${pending === 1 ? "story" : "stories"} still pending`;
}
