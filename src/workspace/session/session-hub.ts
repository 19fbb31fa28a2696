import { mirrorRef } from "../../git/repository/mirror-ref.ts";
import { openHub, type HubRepo } from "../../git/repository/hub.ts";
import { gitContext, type World } from "../world.ts";
import type { FoundSession } from "../sessions.ts";

/** The repository of a session here; for one that runs elsewhere, with its branch as it is there. */
export function sessionHub(
  world: Pick<World, "host" | "env">,
  { session, mirrors }: Pick<FoundSession, "session" | "mirrors">,
): HubRepo {
  const { id, parent, repository } = session;
  const mirrored = mirrors === undefined ? undefined : mirrorRef(parent?.id ?? id);
  return openHub(gitContext(world), repository, mirrored);
}
