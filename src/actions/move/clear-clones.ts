import { need } from "../../base/fatal.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { tryAllLeases } from "../../workspace/session/session-leases.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { removeClones } from "../close/tear-down.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";

/**
 * Before the place is removed at which this process runs: saves what only the clones of its session hold, and removes
 * those that hold nothing more.
 *
 * @returns the clones that stay; undefined if others are at work, or the session is neither closed nor gone from here
 */
export async function clearClones(
  world: World,
  side: OwnSide,
): Promise<readonly HeldClone[] | undefined> {
  const homes = movedHomes(world.host.files, side);
  const cleared = await tryAllLeases(world.host, homes, async (isAlone) => {
    const found = need(readSession(world.host.files, side.home));
    if (!isAlone || !(await isOver(world, found))) return undefined;
    const { held, left } = await removeClones(world, found);
    const unknown = left.map((directory) => ({ directory, what: [BRANCH_GONE] }));
    return [...held, ...unknown];
  });
  return need(cleared);
}

const BRANCH_GONE = "work of which wisp cannot tell what is saved, because the branch is gone";

async function isOver(world: World, found: FoundSession): Promise<boolean> {
  if (found.mirrors !== undefined) return true;
  return need(await readState(world, found)).state.human.closed !== undefined;
}
