import { need } from "../../base/fatal.ts";
import { VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { ROLES } from "../../base/role.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import { treeRunId, type RoleContext } from "../../work/role-context.ts";
import { treePlace, treesDirectory, type TreePlace } from "./tree-place.ts";
import { whenFree } from "./when-free.ts";

type AcquireDeps = Pick<RoleContext, "home" | "session" | "ports" | "signal">;

export interface LeasedTree {
  readonly place: TreePlace;
  readonly lease: Lease;
}

/**
 * Acquires the first free tree under a kernel lock, which is freed even if its holder is killed. Processes that
 * the previous holder left running there are ended; one that released the tree left none, because every run ends with
 * all that it started. If all trees are in use, it tries again, at growing intervals.
 *
 * @returns undefined if the role is asked to stop meanwhile
 */
export async function acquireTree(deps: AcquireDeps): Promise<LeasedTree | undefined> {
  const { ports, session, signal } = deps;
  need(ports.files.makeDirectory(treesDirectory(session)));
  return whenFree({ clock: ports.clock, signal }, () => acquireFirst(deps));
}

async function acquireFirst(deps: AcquireDeps): Promise<LeasedTree | undefined> {
  for (let number = 1; number <= VERIFY_TREES_MAX; number++) {
    const leased = await tryToAcquire(deps, treePlace(deps.session, number));
    if (leased !== undefined) return leased;
  }
  return undefined;
}

async function tryToAcquire(deps: AcquireDeps, place: TreePlace): Promise<LeasedTree | undefined> {
  const { locks } = deps.ports;
  const lease = await locks.takeLease(place.lock);
  if (!lease.ok && lease.failure.kind === "lease-held") return undefined;
  const held = need(lease);
  if (held.wasAbandoned) await sweep(deps, place);
  return { place, lease: held };
}

/**
 * Ends the processes of every role that may have used the tree, in this session and in those that share its
 * trees.
 */
async function sweep({ ports, home, session }: AcquireDeps, { number }: TreePlace): Promise<void> {
  const family = need(homeFamily(ports.files, home, session));
  const runIds = family.flatMap((one) => ROLES.map((role) => treeRunId(one, role, number)));
  await ports.processes.sweep(...runIds);
}
