import { fail, ok, type Result } from "../base/result.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import { sessionClosed } from "./append-human.ts";
import { branchRewritten, isRewritten } from "./branch-rewritten.ts";
import type { Cli } from "./cli.ts";
import { unfinishedRevision } from "./create-revision.ts";
import type { CliFailure } from "./failures.ts";
import { findSession, topSession } from "./find-session.ts";
import { readState } from "./read-state.ts";
import { endOf } from "./session-end.ts";
import type { FoundSession } from "./sessions.ts";

/** A session that can be revised, as it stands. */
export interface Revisable {
  readonly found: FoundSession;
  readonly state: SessionState;
}

/**
 * The session to revise: one whose work is not given up or refused, without a revision that goes on. Where
 * nobody names one and the newest is a revision, its parent is meant.
 */
export async function findRevisable(
  cli: Cli,
  asked: string | undefined,
): Promise<Result<Revisable, CliFailure>> {
  const named = findSession(cli.host.files, cli.cwd, asked);
  if (!named.ok) return named;
  const { parent, id } = named.value.session;
  if (parent !== undefined && asked !== undefined) {
    return fail({ kind: "is-revision", session: id, parent: parent.id, asked: "revise" });
  }
  const found = topSession(cli.host.files, cli.cwd, named.value);
  if (!found.ok) return found;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { state } = read.value;
  const { closed } = state.human;
  const session = found.value.session.id;
  if (closed !== undefined && closed.how !== "done") return fail(sessionClosed(session, closed));
  const unfinished = await unfinishedRevision(cli, found.value);
  if (!unfinished.ok) return unfinished;
  if (unfinished.value !== undefined) {
    const revision = unfinished.value.session.id;
    return fail({ kind: "revision-unfinished", session, revision });
  }
  if (isRewritten(state) || state.branch.head === undefined) {
    return fail(await branchRewritten(cli, found.value, state));
  }
  return ok({ found: found.value, state });
}

/** `Warning: 3 stories still pending`, where some are (seed 000, US-001). */
export function pendingWarning(state: SessionState): string | undefined {
  const { builder } = state;
  const finished = new Set(builder.milestones.map(({ name }) => name));
  const pending = builder.plan.filter(({ name }) => !finished.has(name)).length;
  if (pending === 0) {
    return endOf(state)?.how === "complete" ? undefined : "Warning: its work is not complete";
  }
  return `Warning: ${String(pending)} ${pending === 1 ? "story" : "stories"} still pending`;
}
