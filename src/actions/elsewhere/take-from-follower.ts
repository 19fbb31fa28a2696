import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { MIRROR_LEAVE_MS_MAX, MIRROR_LOOK_MS } from "../../base/limits.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { isHolderAlive, readHolder } from "../../host/locks/lease-holder.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import type { World } from "../../workspace/world.ts";

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
