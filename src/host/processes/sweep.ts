import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "../../base/assert.ts";
import { RUN_ID_VARIABLE } from "../../base/ports/processes.ts";
import { traced, type SpanOf } from "../../base/ports/trace.ts";
import { HAS_PROC, isDead, readProcStat } from "./process-identity.ts";
import { listPids, type ProcessScan, RunEnvironments } from "./run-environments.ts";
import { sendSignal } from "./signals.ts";

/** The maximum number of rounds; a process that survives them cannot be killed by us. */
const ROUNDS_MAX = 1_000;
/**
 * The maximum number of successive rounds that found nothing but were not certain. On a busy machine no scan is
 * ever certain, and a turn would end a minute late.
 */
const DOUBTFUL_ROUNDS_MAX = 25;
/** The delay between rounds: the time that a killed process needs to end, or a starting one to start. */
const ROUND_MS = 2;

const SWEEP: SpanOf = { category: "sweep", name: "sweep" };

/**
 * Kills the processes that an engine left behind. Share one instance, since each sweep learns from the previous
 * ones.
 */
export class Sweeper {
  readonly #environments = new RunEnvironments();

  /**
   * Kills every process that carries one of the run ids in its environment, until a scan finds none; processes
   * started meanwhile are found by the next scan. A process cannot escape by leaving the group or the session
   * (setsid, double fork), because it inherits its environment. Returns the number of killed processes; 0 if there
   * is no /proc.
   *
   * Out of reach are processes started with an emptied environment, and those that the system hides from us (other
   * users', or ones that made themselves undumpable). Only a pid namespace covers these.
   */
  async sweepRuns(runIds: readonly string[]): Promise<number> {
    const isWord = (runId: string) => runId !== "" && !runId.includes("\0");
    assert(runIds.every(isWord), "a run id is a non-empty word");
    if (!HAS_PROC) return 0;
    const markers = runIds.map((runId) => `${RUN_ID_VARIABLE}=${runId}`);
    this.#environments.begin();
    return traced(SWEEP, () => killAll(() => this.#environments.scan(...markers)));
  }

  /**
   * Kills a process group whose leader has ended, and waits until none of its members is alive. Looks at every process
   * of the machine, unless the group has no member at all.
   */
  async killGroup(group: number): Promise<void> {
    if (sendSignal(-group, "SIGKILL")) {
      await killAll(() => ({ carriers: livingMembers(group), doubt: "none" }));
    }
  }
}

/** Asks the members of a process group to end, except its leader. */
export function askMembersToEnd(group: number): void {
  for (const pid of livingMembers(group)) {
    if (pid !== group) sendSignal(pid, "SIGTERM");
  }
}

/** Whether a process group has a living member. Zombies do not count, although they can be signalled. */
export function isGroupAlive(group: number): boolean {
  return sendSignal(-group, 0) && livingMembers(group).length > 0;
}

/**
 * Kills all processes that a scan finds, and repeats until a certain scan finds none. Returns the number of killed
 * processes.
 */
export async function killAll(scan: () => ProcessScan): Promise<number> {
  const killed = new Set<number>();
  let doubtful = 0;
  for (let round = 0; round < ROUNDS_MAX && doubtful < DOUBTFUL_ROUNDS_MAX; round++) {
    const { carriers, doubt } = scan();
    if (carriers.length === 0 && doubt === "none") break;
    doubtful = carriers.length === 0 ? doubtful + 1 : 0;
    for (const pid of carriers) {
      killed.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    if (carriers.length > 0 || doubt === "starting") await sleep(ROUND_MS);
  }
  return killed.size;
}

/** The living members of a group; without /proc, the group itself stands for them. */
function livingMembers(group: number): readonly number[] {
  if (!HAS_PROC) return sendSignal(-group, 0) ? [-group] : [];
  return listPids().filter((pid) => {
    const stat = readProcStat(pid);
    return stat !== undefined && stat.group === group && !isDead(stat);
  });
}
