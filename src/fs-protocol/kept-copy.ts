import { join } from "node:path";
import type { Role } from "../base/role.ts";
import type { SessionJson } from "./session-json.ts";

/** Where a role, or the supervisor, keeps a copy of its log outside of the session's home. */
export function keptCopyPath(
  { state, createdAt }: Pick<SessionJson, "state" | "createdAt">,
  role: Role | "supervisor",
): string {
  // Another session may once have had the same name.
  return join(state, role, "kept", `${createdAt.replace(/[:.]/g, "-")}-${role}.log`);
}
