import type { Home } from "../../fs-protocol/home/home.ts";
import type { Ports } from "./role-context.ts";

/**
 * Removes short locks whose holder was killed during an append, by acquiring and releasing each lock once. A stale
 * lock stays until another process acquires it, and after the end of a session none would. Each role calls this when
 * it ends, and so does the supervisor, which uses these files after the roles have ended. A lock that cannot be
 * acquired belongs to a living process and stays.
 */
export async function releaseStaleLocks(
  { locks }: Pick<Ports, "locks">,
  home: Home,
): Promise<void> {
  for (const path of [home.progress, home.changes, home.humanLog, home.quarantine]) {
    await locks.withLock(path, () => undefined);
  }
}
