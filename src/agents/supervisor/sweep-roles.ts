import { ROLES, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { runIdsOf, type Ports } from "../work/role-context.ts";

/**
 * Kills the processes that the engines of ended roles left behind, until none is found. Returns how many
 * there were. Holds the role's lease meanwhile, so that it kills nothing that belongs to a role that was just
 * started by hand.
 */
export async function sweepRoles(ports: Ports, home: Home): Promise<number> {
  const killed = await Promise.all(ROLES.map((role) => sweepRole(ports, home, role)));
  return killed.reduce((sum, count) => sum + count, 0);
}

async function sweepRole({ locks, processes }: Ports, home: Home, role: Role): Promise<number> {
  const lease = await locks.takeLease(leasePath(home, role));
  if (!lease.ok && lease.failure.kind === "lease-held") return 0;
  const killed = await processes.sweep(...runIdsOf(home, role));
  if (lease.ok) await lease.value.release();
  return killed;
}
