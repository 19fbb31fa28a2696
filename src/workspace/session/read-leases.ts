import { ROLES, type Role } from "../../base/role.ts";
import type { LinkJson } from "../../fs-protocol/home/link-json.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { farHolders, isLinkHeard, readFarLink } from "./far-link.ts";

/** Who is at work on a session, and for one that runs elsewhere what its follower last heard. */
export interface Presence {
  readonly alive: ReadonlySet<Role | "supervisor">;
  readonly link?: LinkJson | undefined;
}

/** What a view needs of the processes of a session. */
export async function readPresence(
  host: Pick<Host, "locks" | "files" | "clock">,
  home: Home,
): Promise<Presence> {
  return { alive: await readLeases(host, home), link: readFarLink(host.files, home) };
}

/** What it is if a session is shown as it was when its place was last heard, because that is out of reach. */
export function lastSeen<Facts extends Presence & { readonly nowMs: number }>(
  facts: Facts,
  home: Home,
): Facts {
  const { link, nowMs } = facts;
  if (link === undefined || isLinkHeard(link, nowMs)) return facts;
  return { ...facts, alive: new Set(farHolders(link, home)) };
}

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
