import { basename, dirname } from "node:path";
import { need } from "../../base/fatal.ts";
import { sessionCopyPath } from "../../fs-protocol/home/copy-path.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import { entryKind } from "../../host/files/entry-kind.ts";
import { asideName, stateAside } from "../../workspace/disk/aside-names.ts";
import type { LeftOnDisk } from "../../workspace/disk/leftovers-on-disk.ts";
import { sessionAt } from "../../workspace/removed-homes.ts";
import { readSession } from "../../workspace/sessions.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import type { World } from "../../workspace/world.ts";
import { clearKilledStarts } from "../start/clear-starts.ts";
import { pointElsewhere } from "./prune-session.ts";

type Machine = Pick<World, "host" | "env" | "program">;

/** Removes what killed commands left behind; what must stay is left out by the caller. */
export async function pruneLeftovers(
  world: Machine,
  left: readonly LeftOnDisk[],
  repositories: readonly string[],
): Promise<void> {
  const { directories, files } = world.host;
  const pathsOf = (what: LeftOnDisk["what"]) =>
    left.filter((one) => one.what === what).map(({ path }) => path);
  const halves = pathsOf("half-removed");
  const states = halves.flatMap((path) => withItsState(world, path) ?? []);
  // A home without its other half in its place would mean that the other half was not moved.
  const homes = halves.filter((path) => basename(dirname(path)) === "sessions");
  for (const path of [...homes, ...halves, ...states, ...pathsOf("unclaimed")]) {
    need(directories.removeTree(path));
  }
  for (const path of pathsOf("temporary")) need(files.remove(path));
  for (const repository of repositories) {
    if (pathsOf("start").length > 0) await clearKilledStarts(world, repository);
    pointElsewhere(world, { repository });
  }
}

/**
 * Moves the folder of a home aside that was moved aside without it.
 *
 * @returns where the folder is; undefined if the path is not that of a home
 */
function withItsState({ host, env }: Machine, path: string): string | undefined {
  const read = readSession(host.files, homeAt(path));
  if (!read.ok) return undefined;
  const { session } = read.value;
  const { state, repository, createdAt } = session;
  // Anybody may have written the home: what it names is removed only where wisp keeps its own files.
  const isOwn =
    asideName(session) === basename(path) && dirname(state) === repositoryState(env, repository);
  if (!isOwn) return undefined;
  const aside = stateAside(session);
  if (entryKind(aside) !== undefined) return aside;
  const isCopied = host.files.stat(sessionCopyPath(session)) !== undefined;
  const isSame = !isCopied || sessionAt(host.files, state)?.session.createdAt === createdAt;
  if (!isSame || entryKind(state) !== "directory") return undefined;
  need(host.directories.move(state, aside));
  return aside;
}
