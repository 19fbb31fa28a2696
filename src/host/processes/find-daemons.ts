import { setTimeout as sleep } from "node:timers/promises";
import { DAEMON_MARK_VARIABLE, type ProcessIdentity } from "../../base/ports/processes.ts";
import { HAS_PROC, identify, readProcStat } from "./process-identity.ts";
import { type EnvironmentScan, RunEnvironments } from "./run-environments.ts";

/** The maximum number of scans: on a busy machine, no scan is ever certain. */
const SCANS_MAX = 25;
/** The delay between scans: the time that a starting process needs to show its environment. */
const SCAN_DELAY_MS = 2;

/**
 * The living daemons with each of these marks, as set by `startDaemon`, by the mark; found in one search. Until it runs its
 * own program, a daemon's child shows its parent's environment, and is left out. Empty if there is no /proc.
 */
export async function findDaemons(
  marks: readonly string[],
): Promise<ReadonlyMap<string, readonly ProcessIdentity[]>> {
  const markers = new Map(marks.map((mark) => [`${DAEMON_MARK_VARIABLE}=${mark}`, mark]));
  const environments = new RunEnvironments();
  let carriers: EnvironmentScan["markerOf"] = new Map();
  for (let scans = 0; HAS_PROC && scans < SCANS_MAX; scans++) {
    const scan = environments.scan(...markers.keys());
    carriers = scan.markerOf;
    if (scan.doubt === "none") break;
    if (scan.doubt === "starting") await sleep(SCAN_DELAY_MS);
  }
  const found = new Map<string, ProcessIdentity[]>(marks.map((mark) => [mark, []]));
  for (const [pid, marker] of carriers) {
    const parent = readProcStat(pid)?.parent;
    const identity = identify(pid);
    const isChild = parent !== undefined && carriers.get(parent) === marker;
    if (identity !== undefined && !isChild) found.get(markers.get(marker) ?? "")?.push(identity);
  }
  return found;
}

/** Removes the mark from the environment, so that the processes that this one starts do not carry it. */
export function dropDaemonMark(environment: Record<string, string | undefined>): void {
  Reflect.deleteProperty(environment, DAEMON_MARK_VARIABLE);
}
