import type { LogName } from "../../base/role.ts";
import type { Speaker } from "../rows/row.ts";

/** The speaker of a log. */
export function speakerOf(log: LogName): Speaker {
  if (log === "supervisor") return "wisp";
  return log === "human" ? "you" : log;
}
