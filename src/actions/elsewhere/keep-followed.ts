import { FIRST_NEWS_MS_MAX, LINK_SILENCE_MS_MAX, MIRROR_LOOK_MS } from "../../base/limits.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { ensureFollower } from "./ensure-follower.ts";
import { parentHome } from "../../fs-protocol/home/home.ts";

/**
 * Before a session that runs elsewhere is looked at: makes sure that its files here follow those there. After a while
 * without news, waits a moment for the first; what is shown says how old it is.
 */
export async function keepFollowed(
  world: World,
  { home, session, mirrors }: FoundSession,
): Promise<void> {
  if (mirrors === undefined) return;
  const { files, clock } = world.host;
  const top = session.parent === undefined ? home : parentHome(home);
  const id = session.parent?.id ?? session.id;
  await ensureFollower(world, { id, home: top, repository: session.repository });
  const beganMs = clock.nowMs();
  const heardMs = () => readFarLink(files, top)?.heardMs ?? 0;
  while (beganMs - heardMs() > LINK_SILENCE_MS_MAX && clock.nowMs() - beganMs < FIRST_NEWS_MS_MAX) {
    await clock.sleep(MIRROR_LOOK_MS);
  }
}
