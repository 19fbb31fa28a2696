import { ROLES, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { farHolders, isLinkHeard, readFarLink } from "./far-link.ts";

/**
 * The holders whose leases a living process holds now. Of a session that runs elsewhere: those that held them when its
 * place was last heard, as long as that is in touch.
 */
export async function readLeases(
  { locks, files, clock }: Pick<Host, "locks" | "files" | "clock">,
  home: Home,
): Promise<ReadonlySet<Role | "supervisor">> {
  const link = readFarLink(files, home);
  if (link !== undefined) {
    return new Set(isLinkHeard(link, clock.nowMs()) ? farHolders(link, home) : []);
  }
  const holders = ["supervisor" as const, ...ROLES];
  const held = await Promise.all(
    holders.map((holder) => locks.isLeaseHeld(leasePath(home, holder))),
  );
  return new Set(holders.filter((_, index) => held[index] === true));
}
