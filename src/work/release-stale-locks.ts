import { lockNoteOf, shortLockOf } from "../base/ports/locks.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import type { Ports } from "./role-context.ts";

/**
 * Removes short locks whose holder was killed during an append, by acquiring and releasing each lock that is left
 * once. A stale lock stays until another process acquires it, and after the end of a session none would. Each role
 * calls this when it ends, and so does the supervisor, which uses these files after the roles have ended. A lock that
 * cannot be acquired belongs to a living process and stays.
 */
export async function releaseStaleLocks(
  { files, locks }: Pick<Ports, "files" | "locks">,
  home: Home,
): Promise<void> {
  for (const path of [home.progress, home.changes, home.humanLog, home.quarantine]) {
    // All processes of a session end at the same time, and would otherwise wait for one another.
    const lock = shortLockOf(path);
    const isLeft = [lock, lockNoteOf(lock)].some((left) => files.stat(left) !== undefined);
    if (isLeft) await locks.withLock(path, () => undefined);
  }
}
