import { ok } from "../base/result.ts";
import type { Cli } from "./cli.ts";
import { findSession } from "./find-session.ts";
import type { LaterCommits } from "./later-facts.ts";
import { count } from "./sentence.ts";
import type { FoundSession } from "./sessions.ts";

/** The session that is taken up: where commits came later, the one of its family that reviews them. */
export function findReviewer(
  cli: Cli,
  named: FoundSession,
  later: LaterCommits | undefined,
): ReturnType<typeof findSession> {
  const { id } = named.session;
  if (later?.by === undefined || later.by === id) return ok(named);
  cli.terminal.err(
    `${later.by} reviews ${count(later.count, "commit")} that came to ${id} after its end.`,
  );
  return findSession(cli.host.files, cli.cwd, later.by);
}
