import { setTimeout as sleep } from "node:timers/promises";
import { DAEMON_MARK_VARIABLE, type ProcessIdentity } from "../../base/ports/processes.ts";
import { HAS_PROC, identify, readProcStat } from "./process-identity.ts";
import { RunEnvironments } from "./run-environments.ts";

/** On a machine where others start and end processes all the time no look is ever sure. */
const LOOKS_MAX = 25;
/** Between looks: the time that a starting process needs to show its environment. */
const LOOK_MS = 2;

/**
 * The living daemons with this mark, as `startDaemon` sets it. A child of one shows the environment of its
 * parent until it runs a program of its own, and is none. Empty where there is no /proc.
 */
export async function findDaemons(mark: string): Promise<readonly ProcessIdentity[]> {
  if (!HAS_PROC) return [];
  const environments = new RunEnvironments();
  let carriers: readonly number[] = [];
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const look = environments.look(`${DAEMON_MARK_VARIABLE}=${mark}`);
    carriers = look.carriers;
    if (look.doubt === "none") break;
    if (look.doubt === "starting") await sleep(LOOK_MS);
  }
  return carriers.flatMap((pid) => {
    const parent = readProcStat(pid)?.parent;
    const identity = identify(pid);
    const isChild = parent !== undefined && carriers.includes(parent);
    return identity === undefined || isChild ? [] : [identity];
  });
}

/** Takes the mark out of the environment: what this process starts is none of those that were started with it. */
export function dropDaemonMark(environment: Record<string, string | undefined>): void {
  Reflect.deleteProperty(environment, DAEMON_MARK_VARIABLE);
}
