import { need } from "../../base/fatal.ts";
import { goOnThere } from "../../remote/follow/mirror-session.ts";
import { findSession } from "../../workspace/find-session.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { awaitMirror } from "./await-mirror.ts";
import { ensureFollower } from "./ensure-follower.ts";
import type { StartedElsewhere } from "./start-elsewhere.ts";

/** Runs a session that was started elsewhere, unless it is only to be created, and waits until its files are here. */
export async function runStarted(
  world: World,
  started: StartedElsewhere,
  { up }: { readonly up: boolean },
): Promise<FoundSession> {
  const { id, home, repository } = started;
  if (up) need(await goOnThere(started));
  const sinceMs = world.host.clock.nowMs();
  await ensureFollower(world, { id, home, repository });
  need(await awaitMirror(world, { id, home, sinceMs }));
  const found = need(findSession(world.host.files, repository, id));
  keepCurrent(world, found.session);
  return found;
}
