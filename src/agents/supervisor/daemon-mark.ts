import type { Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** By which a process that was started for a session is found again, whatever became of its lease. */
export function daemonMark(home: Home, of: Role | "supervisor"): string {
  return `${home.directory}#${of}`;
}
