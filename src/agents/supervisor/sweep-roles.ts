import type { Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { runIdsOf, type Ports } from "../../work/role-context.ts";

/**
 * Kills the processes that the engines of ended roles left behind, until none is found. Returns how many
 * there were. Holds the roles' leases meanwhile, so that it kills nothing that belongs to a role that was just
 * started by hand. One search finds the processes of all of them, because it reads every process of the machine.
 */
export async function sweepRoles(
  { locks, processes }: Ports,
  home: Home,
  roles: readonly Role[],
): Promise<number> {
  const taken = await Promise.all(
    roles.map(async (role) => ({ role, lease: await locks.takeLease(leasePath(home, role)) })),
  );
  const ended = taken.filter(({ lease }) => lease.ok || lease.failure.kind !== "lease-held");
  const runIds = ended.flatMap(({ role }) => runIdsOf(home, role));
  const killed = runIds.length === 0 ? 0 : await processes.sweep(...runIds);
  for (const { lease } of ended) if (lease.ok) await lease.value.release();
  return killed;
}
