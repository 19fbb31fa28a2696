import { treeTops } from "../../evidence/verify-tree/tree-place.ts";
import type { Oid } from "../../base/oid.ts";
import type { PatchedFile } from "../../base/ports/patches.ts";
import { leftBehind } from "../../git/repository/left-behind.ts";
import type { NamedPaths } from "../../git/repository/named-paths.ts";
import { rangePatches } from "../../git/repository/range-patches.ts";
import { clonesOf } from "../has-clones.ts";
import { readFarLink } from "../session/far-link.ts";
import type { FoundSession } from "../sessions.ts";
import { gitContext, type World } from "../world.ts";

type Looks = Pick<World, "host" | "env">;

/**
 * The ignored files in the clones of a session that its commits name, and that only they have. Of a session that runs
 * elsewhere: what was last heard from there.
 *
 * @param net what its commits change in all
 */
export async function readLeftBehind(
  world: Looks,
  { session, home }: Pick<FoundSession, "session" | "home">,
  { net, head }: { readonly net: readonly PatchedFile[]; readonly head: Oid },
): Promise<NamedPaths> {
  const link = readFarLink(world.host.files, home);
  if (link !== undefined) return { named: link.leftBehind ?? [], isWhole: true };
  const clones = clonesOf(world, session);
  const places = { hub: session.repository, head, clones, made: treeTops(session) };
  const read = await leftBehind(gitContext(world), net, places);
  return read.ok ? read.value : { named: [], isWhole: false };
}

/** The same for who has not read the changes. */
export async function findLeftBehind(
  world: Looks,
  found: Pick<FoundSession, "session" | "home">,
  head: Oid,
): Promise<NamedPaths["named"]> {
  if (clonesOf(world, found.session).length === 0) return [];
  const { repository: directory, base } = found.session;
  const patches = await rangePatches(gitContext(world), { directory, base, head });
  const { net } = patches.ok ? patches.value : { net: [] };
  return (await readLeftBehind(world, found, { net, head })).named;
}
