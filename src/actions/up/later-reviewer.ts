import { ok } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { LaterCommits } from "../../workspace/finished/later-facts.ts";
import { count } from "../../base/words/sentence.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** The session to resume: if there are later commits, the one of its family that reviews them. */
export function findReviewer(
  world: World,
  named: FoundSession,
  later: LaterCommits | undefined,
): ReturnType<typeof findSession> {
  const { id } = named.session;
  if (later?.by === undefined || later.by === id) return ok(named);
  world.tell(
    `${later.by} reviews ${count(later.count, "commit")} that came to ${id} after its end.`,
  );
  return findSession(world.host.files, world.cwd, later.by);
}
