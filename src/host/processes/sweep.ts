import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "../../base/assert.ts";
import { RUN_ID_VARIABLE } from "../../base/ports/processes.ts";
import { HAS_PROC, isDead, readProcStat } from "./process-identity.ts";
import { listPids, type ProcessScan, RunEnvironments } from "./run-environments.ts";
import { sendSignal } from "./signals.ts";

/** Rounds of looking and killing; a process that outlives them is in the hands of the kernel. */
const ROUNDS_MAX = 1_000;
/**
 * Rounds in a row that found nothing and could not be sure of it. On a machine where others start and end
 * processes all the time no look is ever sure, and a turn would end a minute late.
 */
const DOUBTFUL_ROUNDS_MAX = 25;
/** Between rounds: the time that a killed process needs to go, or a starting one to start. */
const ROUND_MS = 2;

/** Kills what an engine left behind; one for all sweeps of a process, since it learns from each. */
export class Sweeper {
  readonly #environments = new RunEnvironments();

  /**
   * Kills every process that carries one of the run ids in its environment, until a look finds none: what a
   * process starts while it is being killed is found by the next. Leaving the group or the session
   * (setsid, double fork) does not help a process, since it inherits its environment. Returns how
   * many there were; 0 where there is no /proc.
   *
   * Out of reach: a process started with an emptied environment, or one that the system hides from
   * us (another user's, or one that made itself undumpable). A pid namespace is the cure for these.
   */
  async sweepRuns(runIds: readonly string[]): Promise<number> {
    const isWord = (runId: string) => runId !== "" && !runId.includes("\0");
    assert(runIds.every(isWord), "a run id is a non-empty word");
    if (!HAS_PROC) return 0;
    const markers = runIds.map((runId) => `${RUN_ID_VARIABLE}=${runId}`);
    this.#environments.begin();
    return killAll(() => this.#environments.look(...markers));
  }
}

/**
 * Kills a process group whose leader has ended, and waits until none of its members is alive. A
 * group without a living member costs one system call.
 */
export async function killGroup(group: number): Promise<void> {
  if (sendSignal(-group, "SIGKILL")) {
    await killAll(() => ({ carriers: livingMembers(group), doubt: "none" }));
  }
}

/** Asks the members of a process group to end, but not its leader. */
export function askMembersToEnd(group: number): void {
  for (const pid of livingMembers(group)) {
    if (pid !== group) sendSignal(pid, "SIGTERM");
  }
}

/** Whether a process group has a living member. Zombies are none, though they can be signalled. */
export function isGroupAlive(group: number): boolean {
  return sendSignal(-group, 0) && livingMembers(group).length > 0;
}

/**
 * Kills whatever a look finds, and looks again, until one without a doubt finds nothing. Returns how
 * many processes were killed.
 */
export async function killAll(look: () => ProcessScan): Promise<number> {
  const killed = new Set<number>();
  let doubtful = 0;
  for (let round = 0; round < ROUNDS_MAX && doubtful < DOUBTFUL_ROUNDS_MAX; round++) {
    const { carriers, doubt } = look();
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

/** Where there is no /proc, the group itself stands for its members. */
function livingMembers(group: number): readonly number[] {
  if (!HAS_PROC) return sendSignal(-group, 0) ? [-group] : [];
  return listPids().filter((pid) => {
    const stat = readProcStat(pid);
    return stat !== undefined && stat.group === group && !isDead(stat);
  });
}
