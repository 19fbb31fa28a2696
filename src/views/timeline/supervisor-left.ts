import { daemonMark } from "../../agents/supervisor/daemon-mark.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { isLinkHeard, readFarLink } from "../../workspace/session/far-link.ts";

const POLL_MS_MIN = 10;
const POLL_MS_MAX = 500;
/** How long, and how often, the end of a known process is waited for. */
const END_MS_MAX = 60;
const END_POLL_MS = 2;

type Ports = Pick<Host, "files" | "locks" | "processes" | "clock">;

/**
 * Whether the supervisor has left: its lease is free and its process is gone. If the lease is free but the process is
 * still alive, someone removed `locks/` or the process is about to end; then this function waits for it.
 *
 * @param pid the process that took the lease last, if that is known; otherwise every process of the machine is looked at
 */
export async function hasSupervisorLeft(
  { files, locks, processes, clock }: Ports,
  home: Home,
  pid?: () => number | undefined,
): Promise<boolean> {
  const link = readFarLink(files, home);
  // Of a place that is silent nothing is known. The files are whole if they came after the last sign of life.
  if (link !== undefined) {
    const { wholeMs = 0, leftMs = Infinity } = link;
    return isLinkHeard(link, clock.nowMs()) && wholeMs >= leftMs;
  }
  for (let delayMs = POLL_MS_MIN; ; delayMs = Math.min(delayMs * 2, POLL_MS_MAX)) {
    if (await locks.isLeaseHeld(leasePath(home, "supervisor"))) return false;
    if (await isGoneSoon({ processes, clock }, pid?.())) return true;
    const mark = daemonMark(home, "supervisor");
    const alive = (await processes.findDaemons([mark])).get(mark) ?? [];
    if (alive.length === 0) return true;
    await clock.sleep(delayMs);
  }
}

/** Whether a process is gone, or goes within a moment; false if it is not known. */
async function isGoneSoon(
  { processes, clock }: Pick<Ports, "processes" | "clock">,
  pid: number | undefined,
): Promise<boolean> {
  if (pid === undefined) return false;
  for (let waitedMs = 0; waitedMs < END_MS_MAX; waitedMs += END_POLL_MS) {
    if (processes.identify(pid) === undefined) return true;
    await clock.sleep(END_POLL_MS);
  }
  return false;
}
