import { FIRST_NEWS_MS_MAX, LINK_SILENCE_MS_MAX, MIRROR_LOOK_MS } from "../../base/limits.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { ensureFollower } from "./ensure-follower.ts";
import { parentHome, type Home } from "../../fs-protocol/home/home.ts";

/** Makes sure that the files here of a session that runs elsewhere follow those there, and does not wait for news. */
export async function startFollowing(world: World, found: FoundSession): Promise<void> {
  if (found.mirrors === undefined) return;
  const { session } = found;
  const id = session.parent?.id ?? session.id;
  await ensureFollower(world, { id, home: topHome(found), repository: session.repository });
}

function topHome({ home, session }: FoundSession): Home {
  return session.parent === undefined ? home : parentHome(home);
}

/**
 * Before a session that runs elsewhere is looked at: makes sure that its files here follow those there. After a while
 * without news, waits a moment for the first; what is shown says how old it is.
 */
export async function keepFollowed(world: World, found: FoundSession): Promise<void> {
  if (found.mirrors === undefined) return;
  const { files, clock } = world.host;
  await startFollowing(world, found);
  const top = topHome(found);
  const beganMs = clock.nowMs();
  const heardMs = () => readFarLink(files, top)?.heardMs ?? 0;
  while (beganMs - heardMs() > LINK_SILENCE_MS_MAX && clock.nowMs() - beganMs < FIRST_NEWS_MS_MAX) {
    await clock.sleep(MIRROR_LOOK_MS);
  }
}
