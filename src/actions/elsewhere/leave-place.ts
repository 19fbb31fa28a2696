import { need } from "../../base/fatal.ts";
import { linkPath } from "../../fs-protocol/home/link-json.ts";
import { placePath, type PlaceJson } from "../../fs-protocol/home/place-json.ts";
import { mirrorOnce } from "../../remote/follow/mirror-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { namingSession } from "./naming-session.ts";
import { reachMirrored } from "./say-there.ts";
import { takeFromFollower } from "./take-from-follower.ts";

/**
 * Ends the stay of a closed session at its place: takes what is there for the last time, removes the place, and makes
 * the mirror here the home of the session. Does nothing if the session is here already.
 */
export async function leavePlace(world: World, found: FoundSession): Promise<void> {
  if (found.mirrors !== undefined) await namingSession(found, () => leave(world, found));
}

async function leave(world: World, found: FoundSession): Promise<void> {
  const mirrored = await reachMirrored(world, found);
  const lease = await takeFromFollower(world, mirrored);
  try {
    need(await mirrorOnce(world, mirrored));
    // The last move named that place, and nobody else decides any more: the home here owns the session again.
    const { human } = need(await readState(world, found)).state;
    need(await mirrored.executor.destroy(mirrored.place));
    const { repository, state } = mirrored.placed;
    const placed: PlaceJson = { version: 1, repository, state, moved: human.moved?.id };
    // What was heard of the place must not be taken for what happens here.
    need(world.host.files.remove(linkPath(mirrored.home)));
    const text = `${JSON.stringify(placed, undefined, 2)}\n`;
    need(world.host.files.replace(placePath(mirrored.home), Buffer.from(text)));
  } finally {
    await lease.release();
  }
}
