import { setTimeout as sleep } from "node:timers/promises";
import { DAEMON_MARK_VARIABLE, type ProcessIdentity } from "../../base/ports/processes.ts";
import { HAS_PROC, identify, readProcStat } from "./process-identity.ts";
import { RunEnvironments } from "./run-environments.ts";

/** The maximum number of scans: on a busy machine, no scan is ever certain. */
const SCANS_MAX = 25;
/** The delay between scans: the time that a starting process needs to show its environment. */
const SCAN_DELAY_MS = 2;

/**
 * The living daemons with this mark, as set by `startDaemon`. Until it runs its own program, a daemon's child shows
 * its parent's environment, and is left out. Empty if there is no /proc.
 */
export async function findDaemons(mark: string): Promise<readonly ProcessIdentity[]> {
  if (!HAS_PROC) return [];
  const environments = new RunEnvironments();
  let carriers: readonly number[] = [];
  for (let scans = 0; scans < SCANS_MAX; scans++) {
    const scan = environments.scan(`${DAEMON_MARK_VARIABLE}=${mark}`);
    carriers = scan.carriers;
    if (scan.doubt === "none") break;
    if (scan.doubt === "starting") await sleep(SCAN_DELAY_MS);
  }
  return carriers.flatMap((pid) => {
    const parent = readProcStat(pid)?.parent;
    const identity = identify(pid);
    const isChild = parent !== undefined && carriers.includes(parent);
    return identity === undefined || isChild ? [] : [identity];
  });
}

/** Removes the mark from the environment, so that the processes that this one starts do not carry it. */
export function dropDaemonMark(environment: Record<string, string | undefined>): void {
  Reflect.deleteProperty(environment, DAEMON_MARK_VARIABLE);
}
