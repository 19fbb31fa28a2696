import { daemonMark } from "../../agents/supervisor/daemon-mark.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";

const POLL_MS_MIN = 10;
const POLL_MS_MAX = 500;

/**
 * Whether the supervisor has left: its lease is free and its process is gone. If the lease is free but the process is
 * still alive, someone removed `locks/` or the process is about to end; then this function waits for it.
 */
export async function hasSupervisorLeft(
  { locks, processes, clock }: Pick<Host, "locks" | "processes" | "clock">,
  home: Home,
): Promise<boolean> {
  for (let delayMs = POLL_MS_MIN; ; delayMs = Math.min(delayMs * 2, POLL_MS_MAX)) {
    if (await locks.isLeaseHeld(leasePath(home, "supervisor"))) return false;
    const alive = await processes.findDaemons(daemonMark(home, "supervisor"));
    if (alive.length === 0) return true;
    await clock.sleep(delayMs);
  }
}
