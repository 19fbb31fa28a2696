import { readFileSync } from "node:fs";
import type { ProcessSession } from "./process-session.ts";

/** The process that holds a role's lease, from the holder's file; undefined while there is none. */
export function rolePid(session: ProcessSession, role: string): number | undefined {
  try {
    const holder: unknown = JSON.parse(
      readFileSync(`${session.home()}/locks/${role}.lock.json`, "utf8"),
    );
    if (typeof holder === "object" && holder !== null && "pid" in holder) return Number(holder.pid);
  } catch {
    // It does not exist yet.
  }
  return undefined;
}
