import type { Home } from "../../fs-protocol/home/home.ts";
import type { Ports } from "./role-context.ts";

/**
 * Leaves no short lock behind: one whose holder was killed in the midst of an append stays until
 * somebody takes it over, which at the end of a session nobody else would. Each role does it when it ends, and the
 * supervisor, which looks at these files after the roles have left. A lock that cannot be had is a living process's.
 */
export async function giveBackLocks({ locks }: Pick<Ports, "locks">, home: Home): Promise<void> {
  for (const path of [home.progress, home.changes, home.humanLog, home.quarantine]) {
    await locks.withLock(path, () => undefined);
  }
}
