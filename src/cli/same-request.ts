import { fail, ok, type Result } from "../base/result.ts";
import type { Cli } from "./cli.ts";
import type { AlreadyStarted, CliFailure } from "./failures.ts";
import { keepCurrent } from "./point-current.ts";
import { readLeases } from "./read-leases.ts";
import { readState } from "./read-state.ts";
import { endOf } from "./session-end.ts";
import type { SessionDraft } from "./session-draft.ts";
import { listSessions, readSession, type FoundSession } from "./sessions.ts";

/** What is said of a request that is started, beside the request. */
export interface StartedAs {
  /** Also where there is a session of the same request. */
  readonly again?: boolean | undefined;
  /** The branch that was named for it, which is as good as saying so. */
  readonly branch?: string | undefined;
  /** The request, as it was named. */
  readonly path: string;
}

/** Started twice by mistake, a request costs twice as much: a person who means it says so, or names a branch for it. */
export async function refuseSameRequest(
  cli: Cli,
  draft: Pick<SessionDraft, "repository" | "request">,
  { again = false, branch, path }: StartedAs,
): Promise<Result<void, CliFailure>> {
  if (again || branch !== undefined) return ok(undefined);
  const known = await sameRequest(cli, draft);
  if (!known.ok) return known;
  return known.value === undefined ? ok(undefined) : fail({ ...known.value, path });
}

/** As `refuseSameRequest`, for who is about to make it: the start before may have been killed at its last step. */
export async function refuseStarted(
  cli: Cli,
  draft: Pick<SessionDraft, "repository" | "request">,
  as: StartedAs,
): Promise<Result<void, CliFailure>> {
  const known = await refuseSameRequest(cli, draft, as);
  if (!known.ok && known.failure.kind === "already-started" && known.failure.stands !== "complete")
    keepCurrent(cli, { repository: draft.repository.directory, id: known.failure.session });
  return known;
}

/**
 * A session that has the very same request, letter for letter, and that no person has closed: one that has not
 * finished, else the newest one that is complete. A session that cannot be read is none.
 */
async function sameRequest(
  cli: Cli,
  { repository, request }: Pick<SessionDraft, "repository" | "request">,
): Promise<Result<AlreadyStarted | undefined, CliFailure>> {
  const { files } = cli.host;
  const homes = listSessions(files, repository.directory);
  if (!homes.ok) return homes;
  let complete: AlreadyStarted | undefined;
  for (const home of homes.value) {
    const text = files.read(home.request);
    if (!text.ok || text.value === undefined) continue;
    if (!Buffer.from(text.value).equals(request.bytes)) continue;
    const found = readSession(files, home);
    if (!found.ok || found.value.session.parent !== undefined) continue;
    const stands = await standOf(cli, found.value);
    if (stands === undefined) continue;
    const { id: session, branch } = found.value.session;
    const known = { kind: "already-started", session, branch, path: request.path, stands } as const;
    if (stands !== "complete") return ok(known);
    complete = known;
  }
  return ok(complete);
}

/** Undefined: a person has closed it, or it cannot be read. */
async function standOf(
  cli: Cli,
  found: FoundSession,
): Promise<AlreadyStarted["stands"] | undefined> {
  const read = await readState(cli, found);
  if (!read.ok || read.value.state.human.closed !== undefined) return undefined;
  if (endOf(read.value.state)?.how === "complete") return "complete";
  return (await readLeases(cli.host, found.home)).has("supervisor") ? "running" : "unfinished";
}
