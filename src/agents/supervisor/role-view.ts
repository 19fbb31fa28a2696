import type { Role } from "../../base/role.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { readHolder, runsOther } from "../../host/locks/lease-holder.ts";
import type { RoleHolder, RoleView } from "./decide.ts";
import type { RoleMemory } from "./role-memory.ts";
import type { SupervisorParts } from "./supervisor-parts.ts";

/** What `decide` needs to know about a role. */
export function roleView(
  parts: SupervisorParts,
  memory: RoleMemory,
  role: Role,
  holder: RoleHolder | undefined,
): RoleView {
  return { ...memory.viewOf(role, holder), isOfOther: isOfOther(parts, role, holder) };
}

/** Whether a supervisor of another wisp started the holder of a role's lease. It may not have its lease yet. */
function isOfOther(
  { ports: { files }, home, code }: SupervisorParts,
  role: Role,
  holder: RoleHolder | undefined,
): boolean {
  if (holder?.whose !== "inherited") return false;
  const recorded = readHolder(files, leasePath(home, role));
  return recorded?.pid === holder.pid && recorded !== undefined && runsOther(recorded, code, false);
}
