import { need } from "../../base/fatal.ts";
import { sessionCopyPath } from "../../fs-protocol/home/copy-path.ts";
import { entryKind } from "../../host/files/entry-kind.ts";
import { homeAside, stateAside } from "../../workspace/disk/aside-names.ts";
import { ownsHome, type KeptSession } from "../../workspace/disk/kept-sessions.ts";
import type { World } from "../../workspace/world.ts";

/**
 * Moves a session's home and its folder in the state directory aside: after each step the session is either whole for all
 * commands or not there at all. In this order a prune that was killed can be finished: the home that was moved names the
 * folder that was not, and a folder that was moved needs no name.
 *
 * @returns the paths to be removed, in that order
 */
export function moveAside({ host }: Pick<World, "host">, kept: KeptSession): readonly string[] {
  const { files, directories } = host;
  const { home, session } = kept.found;
  const asideHome = homeAside(home, session);
  const asideState = stateAside(session);
  // By it a session is found whose home is missing. Roles make it again if the session should still be continued.
  need(files.remove(sessionCopyPath(session)));
  if (ownsHome(kept) && entryKind(home.directory) === "directory") {
    need(directories.move(home.directory, asideHome));
  }
  // A session without that folder is given one: a later session of the same name could be given the free name.
  if (entryKind(session.state) === "directory") need(directories.move(session.state, asideState));
  else need(files.makeDirectory(asideState));
  return [asideHome, asideState];
}
