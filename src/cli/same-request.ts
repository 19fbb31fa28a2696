import { ok, type Result } from "../base/result.ts";
import type { Cli } from "./cli.ts";
import type { AlreadyStarted, CliFailure } from "./failures.ts";
import { readLeases } from "./read-leases.ts";
import { readState } from "./read-state.ts";
import { endOf } from "./session-end.ts";
import type { SessionDraft } from "./session-draft.ts";
import { listSessions, readSession } from "./sessions.ts";

/**
 * A session that is at work on the very same request, letter for letter, and has not finished: it was neither
 * completed nor given up. A session that cannot be read is none.
 */
export async function sameRequest(
  cli: Cli,
  { repository, request }: Pick<SessionDraft, "repository" | "request">,
): Promise<Result<AlreadyStarted | undefined, CliFailure>> {
  const { files } = cli.host;
  const homes = listSessions(files, repository.directory);
  if (!homes.ok) return homes;
  for (const home of homes.value) {
    const text = files.read(home.request);
    if (!text.ok || text.value === undefined) continue;
    if (!Buffer.from(text.value).equals(request.bytes)) continue;
    const found = readSession(files, home);
    if (!found.ok || found.value.session.parent !== undefined) continue;
    const read = await readState(cli, found.value);
    if (!read.ok) continue;
    const { state } = read.value;
    if (state.human.closed !== undefined || endOf(state)?.how === "complete") continue;
    const isRunning = (await readLeases(cli.host, home)).has("supervisor");
    const { id, branch } = found.value.session;
    return ok({ kind: "already-started", session: id, branch, path: request.path, isRunning });
  }
  return ok(undefined);
}
