import { join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { MIRROR_LOOK_MS, MIRROR_WAIT_MS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import type { World } from "../../workspace/world.ts";

/** The files of a session that runs elsewhere did not arrive. */
export const MirrorMissing = refusal(
  "mirror-missing",
  EXIT.failure,
  ({ session, why }: { readonly session: string; readonly why: string }) => [
    `${shown(session)} was started, but its files have not arrived here: ${shown(why)}.`,
    "It goes on there. The files arrive as soon as the connection is back:",
    `wisp status ${shown(session)}`,
  ],
);
export type MirrorMissing = ReturnType<typeof MirrorMissing>;

/**
 * Waits until the mirror of a session has had everything once since `sinceMs`, by the clock here. Gives up when the
 * process that follows it has ended, or after `MIRROR_WAIT_MS_MAX`.
 */
export async function awaitMirror(
  { host }: Pick<World, "host">,
  { id, home, sinceMs }: { readonly id: string; readonly home: Home; readonly sinceMs: number },
): Promise<Result<void, MirrorMissing>> {
  const { files, clock, locks } = host;
  let wasFollowed = false;
  for (;;) {
    const link = readFarLink(files, home);
    if ((link?.wholeMs ?? -1) >= sinceMs) return ok(undefined);
    const isFollowed = await locks.isLeaseHeld(join(home.locks, MIRROR_LEASE));
    wasFollowed ||= isFollowed;
    const isLate = clock.nowMs() - sinceMs > MIRROR_WAIT_MS_MAX;
    if (isLate || (wasFollowed && !isFollowed)) {
      const why = link?.trouble ?? "the process that follows it has ended";
      return fail(MirrorMissing({ session: id, why }));
    }
    await clock.sleep(MIRROR_LOOK_MS);
  }
}
