import { ROLES, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";

/** The holders whose leases a living process holds now. */
export async function readLeases(
  { locks }: Pick<Host, "locks">,
  home: Home,
): Promise<ReadonlySet<Role | "supervisor">> {
  const holders = ["supervisor" as const, ...ROLES];
  const held = await Promise.all(
    holders.map((holder) => locks.isLeaseHeld(leasePath(home, holder))),
  );
  return new Set(holders.filter((_, index) => held[index] === true));
}
