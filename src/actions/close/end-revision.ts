import { closeSession } from "./close-session.ts";
import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { ROLES } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { endSession } from "./end-session.ts";
import { isCloneName } from "../../workspace/has-clones.ts";
import { saveClone } from "./tear-down.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/**
 * Abandons a revision: its processes are interrupted, and work in the clones that is not on the
 * branch is saved under rescue refs. Branch and clones belong to its parent, and stay. Idempotent.
 *
 * @returns the rescue refs
 */
export async function endRevision(
  world: World,
  revision: FoundSession,
): Promise<readonly string[]> {
  if (revision.mirrors !== undefined) {
    await sayThere(world, revision, ["abandon", revision.session.id, "--yes"]);
    return [];
  }
  await closeSession(world, revision, { kind: "abandon" });
  await endSession(world, revision);
  return need(await withAllLeases(world.host, revision.home, () => saveClones(world, revision)));
}

async function saveClones(world: World, { session }: FoundSession): Promise<readonly string[]> {
  const clones = ROLES.flatMap((role) => {
    const above = clonesDirectory(session, role);
    const names = need(world.host.files.list(above)).filter(isCloneName);
    return names.map((name) => join(above, name));
  });
  const rescues: string[] = [];
  for (const directory of clones) {
    const saved = await saveClone(world, session, directory);
    if (saved !== undefined) rescues.push(saved);
  }
  return rescues;
}
