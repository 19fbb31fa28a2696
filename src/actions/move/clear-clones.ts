import { need } from "../../base/fatal.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { tryAllLeases } from "../../workspace/session/session-leases.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { rescueRefs } from "../../git/refs/rescue-refs.ts";
import type { Oid } from "../../base/oid.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { removeClones } from "../close/tear-down.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";

/**
 * Before the place is removed at which this process runs: saves what only the clones of its session hold, and removes
 * those that hold nothing more.
 *
 * @param known the commits of saved work that the other side has; undefined: it takes what is saved now
 * @returns the clones that stay; undefined if others are at work, or the session is neither closed nor gone from here
 */
export async function clearClones(
  world: World,
  side: OwnSide,
  known: readonly Oid[] | undefined,
): Promise<readonly HeldClone[] | undefined> {
  const homes = movedHomes(world.host.files, side);
  const cleared = await tryAllLeases(world.host, homes, async (isAlone) => {
    const found = need(readSession(world.host.files, side.home));
    if (!isAlone || !(await isOver(world, found))) return undefined;
    const { held, left } = await removeClones(world, found);
    const unknown = left.map((directory) => ({ directory, what: [BRANCH_GONE] }));
    return [...held, ...unknown, ...(await unsent(world, found, known))];
  });
  return need(cleared);
}

/** Work that was saved here when nobody took anything from here any more. */
async function unsent(
  world: World,
  found: FoundSession,
  known: readonly Oid[] | undefined,
): Promise<readonly HeldClone[]> {
  if (known === undefined) return [];
  const { repository: directory, id } = found.session;
  const saved = need(await rescueRefs(gitContext(world), { directory, session: id }));
  const missing = saved.filter(({ oid }) => !known.includes(oid)).map(({ ref }) => ref);
  return missing.length === 0
    ? []
    : [{ directory, what: missing.map((ref) => `commits under ${ref}`) }];
}

const BRANCH_GONE = "work of which wisp cannot tell what is saved, because the branch is gone";

async function isOver(world: World, found: FoundSession): Promise<boolean> {
  if (found.mirrors !== undefined) return true;
  return need(await readState(world, found)).state.human.closed !== undefined;
}
