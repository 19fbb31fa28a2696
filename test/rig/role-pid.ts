import { readFileSync } from "node:fs";
import type { ProcessSession } from "./process-session.ts";

/** The process that has a role's lease, by what it wrote beside it; undefined while there is none. */
export function rolePid(session: ProcessSession, role: string): number | undefined {
  try {
    const holder: unknown = JSON.parse(
      readFileSync(`${session.home()}/locks/${role}.lock.json`, "utf8"),
    );
    if (typeof holder === "object" && holder !== null && "pid" in holder) return Number(holder.pid);
  } catch {
    // Not there yet.
  }
  return undefined;
}
