import { join } from "node:path";
import { ROLES } from "../../base/role.ts";
import { LEFTOVER_MS_MIN } from "../../base/limits.ts";
import { namesIn } from "../../host/files/entry-kind.ts";
import { findLeftovers } from "../../host/files/leftovers.ts";
import { isCloneName } from "../has-clones.ts";
import { stateRoot } from "../state-directory.ts";
import type { World } from "../world.ts";
import { oldTemporaries } from "./old-temporaries.ts";
import { isAsideName } from "./aside-names.ts";
import { homeFolders, type KeptOnDisk } from "./kept-sessions.ts";

type Looker = Pick<World, "host" | "env">;

/** What was left behind, and belongs to no session. */
export interface LeftOnDisk {
  readonly path: string;
  /**
   * `half-removed`: a prune was killed. `start`: a start was killed. `unclaimed`: a folder of a session of which nothing
   * tells any more. `temporary`: a file that a killed process was to put in its place.
   */
  readonly what: "half-removed" | "start" | "unclaimed" | "temporary";
  /** Why it stays. */
  readonly kept?: "may-hold-work" | "too-recent" | undefined;
}

/** Looks for what killed commands left in the repository and in the state directory. */
export function leftOnDisk(
  world: Looker,
  { repositories, unclaimed }: Pick<KeptOnDisk, "repositories" | "unclaimed">,
): readonly LeftOnDisk[] {
  const nowMs = world.host.clock.nowMs();
  const homes = homeFolders(repositories);
  const folders = [...homes, ...stateFoldersOf(world)];
  const halves = folders.flatMap((folder) =>
    namesIn(folder)
      .filter(isAsideName)
      .map((name) => ({ path: join(folder, name), what: "half-removed" as const })),
  );
  const starts = findLeftovers(homes, nowMs)
    .filter(({ what }) => what === "temporary")
    .map(({ path }) => ({ path, what: "start" as const }));
  const temporaries = oldTemporaries(world).map(({ path }) => ({
    path,
    what: "temporary" as const,
  }));
  const others = unclaimed.map((path) => unclaimedAt(world, path, nowMs));
  return [...halves, ...starts, ...temporaries, ...others];
}

/** The folders of all repositories: a prune of sessions whose repository is gone may have been killed, too. */
function stateFoldersOf({ env }: Looker): readonly string[] {
  const root = stateRoot(env);
  return namesIn(root)
    .filter((name) => !name.startsWith("."))
    .map((name) => join(root, name));
}

/** A start makes such a folder before its session is there; and a clone may hold work that nothing else has. */
function unclaimedAt({ host: { files } }: Looker, path: string, nowMs: number): LeftOnDisk {
  const hasClone = ROLES.some((role) => namesIn(join(path, role)).some(isCloneName));
  const isRecent = nowMs - (files.stat(path)?.changedMs ?? nowMs) < LEFTOVER_MS_MIN;
  const kept = hasClone ? "may-hold-work" : isRecent ? "too-recent" : undefined;
  return { path, what: "unclaimed", kept };
}
