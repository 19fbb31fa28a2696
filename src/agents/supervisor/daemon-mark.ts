import type { Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** The mark in the environment of a session's process, by which it is found even if it holds no lease. */
export function daemonMark(home: Home, of: Role | "supervisor"): string {
  return `${home.directory}#${of}`;
}
