import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { MIRROR_LEAVE_MS_MAX, MIRROR_LOOK_MS } from "../../base/limits.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { placePath, type PlaceJson } from "../../fs-protocol/home/place-json.ts";
import { isHolderAlive, readHolder } from "../../host/locks/lease-holder.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import { mirrorOnce } from "../../remote/follow/mirror-session.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { reachMirrored } from "./say-there.ts";

/**
 * Ends the stay of a closed session at its place: takes what is there for the last time, removes the place, and makes
 * the mirror here the home of the session. Does nothing if the session is here already.
 */
export async function leavePlace(world: World, found: FoundSession): Promise<void> {
  if (found.mirrors === undefined) return;
  const mirrored = await reachMirrored(world, found);
  const lease = await takeFromFollower(world, mirrored);
  try {
    need(await mirrorOnce(world, mirrored));
    // The last move named that place, and nobody else decides any more: the home here owns the session again.
    const { human } = need(await readState(world, found)).state;
    need(await mirrored.executor.destroy(mirrored.place));
    const { repository, state } = mirrored.placed;
    const placed: PlaceJson = { version: 1, repository, state, moved: human.moved?.id };
    const text = `${JSON.stringify(placed, undefined, 2)}\n`;
    need(world.host.files.replace(placePath(mirrored.home), Buffer.from(text)));
  } finally {
    await lease.release();
  }
}

/** Ends the process that follows a session, if there is one, and takes its lease. */
export async function takeFromFollower(
  { host: { files, locks, processes, clock } }: Pick<World, "host">,
  { home }: Pick<MirroredSession, "home">,
): Promise<Lease> {
  const path = join(home.locks, MIRROR_LEASE);
  need(files.makeDirectory(home.locks));
  const endsMs = clock.nowMs() + MIRROR_LEAVE_MS_MAX;
  for (;;) {
    const taken = await locks.takeLease(path);
    if (taken.ok) return taken.value;
    if (taken.failure.kind !== "lease-held" || clock.nowMs() > endsMs) {
      throw new CannotGoOn(taken.failure);
    }
    const holder = readHolder(files, path);
    if (holder !== undefined && isHolderAlive(holder)) processes.signal(holder.pid, "SIGTERM");
    await clock.sleep(MIRROR_LOOK_MS);
  }
}
