import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { followerOutput } from "../../remote/follow/mirror-session.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { lastingArgv } from "../../workspace/lasting-program.ts";
import type { World } from "../../workspace/world.ts";

/** A session that runs elsewhere, by what is known of it here. */
export interface Mirrored {
  readonly id: string;
  readonly home: Home;
  readonly repository: string;
}

/** Makes sure that a process follows a session that runs elsewhere. */
export async function ensureFollower(
  world: World,
  { id, home, repository }: Mirrored,
): Promise<void> {
  const { files, locks, processes } = world.host;
  if (await locks.isLeaseHeld(join(home.locks, MIRROR_LEASE))) return;
  need(files.makeDirectory(home.locks));
  need(
    processes.daemon({
      argv: lastingArgv(world, "mirror", id),
      cwd: repository,
      env: { ...world.env, WISP_NO_INPUT: "1" },
      logPath: followerOutput(home),
    }),
  );
}
