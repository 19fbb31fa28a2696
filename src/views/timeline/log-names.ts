import { ROLES } from "../../base/role.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import type { Speaker } from "../rows/paint.ts";

/** The logs of a session that people read. */
export const LOG_NAMES = [...ROLES, "supervisor", "human"] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Where a log lies. */
export function logPath(home: Home, log: LogName): string {
  if (log === "supervisor") return home.supervisorLog;
  if (log === "human") return home.humanLog;
  return roleLog(home, log);
}

/** Who speaks in a log. */
export function speakerOf(log: LogName): Speaker {
  if (log === "supervisor") return "wisp";
  return log === "human" ? "you" : log;
}
