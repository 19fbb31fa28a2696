import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { TREE_WAIT_MS_MAX, TREE_WAIT_MS_MIN } from "../../base/limits.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { stateFolder } from "../../fs-protocol/home/state-folder.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { TurnWait } from "./turn-wait.ts";

/** What the turns of engines in the repository had to do with something that is done alone. */
export interface Alone {
  /** How long they were waited for before it, in milliseconds. */
  readonly waitedMs: number;
  /** How many ran when it began, although they had been waited for as long as is allowed. */
  readonly beside: number;
}

/** How several runs that one record tells of were alone; undefined if none of them was. */
export function allAlone(runs: readonly Alone[]): Alone | undefined {
  if (runs.length === 0) return undefined;
  return {
    waitedMs: runs.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    beside: Math.max(...runs.map(({ beside }) => beside)),
  };
}

/**
 * Does something while no other process of this machine and user does it: a kernel lock, which is freed even if its
 * holder is killed. It is taken before the lock of a verify tree, never after it, so nobody waits for ever. Turns of engines
 * are waited for without the lock, so that nobody else waits for them, too.
 *
 * @param turns undefined: turns of engines are not waited for
 * @returns undefined if the role is asked to stop while it waits
 */
export async function aloneHere<T>(
  context: Pick<RoleContext, "session" | "ports" | "signal">,
  turns: TurnWait | undefined,
  work: (alone: Alone) => Promise<T>,
): Promise<T | undefined> {
  for (let waitedMs = 0; !context.signal.aborted;) {
    waitedMs += (await turns?.untilNone()) ?? 0;
    await using lease = await lockHere(context);
    if (lease === undefined) return undefined;
    const beside = (await turns?.running()) ?? 0;
    // If turns began while the lock was waited for, it is given back, and they are waited for.
    if (beside === 0 || turns?.isPatient === false) return await work({ waitedMs, beside });
  }
  return undefined;
}

/** Undefined if the role is asked to stop while it waits. */
async function lockHere({
  session: { state, parent },
  ports,
  signal,
}: Pick<RoleContext, "session" | "ports" | "signal">): Promise<Lease | undefined> {
  // Beside the folders of all repositories, under a name that none has.
  const folder = stateFolder(parent?.state ?? state);
  const path = join(folder, ".alone.lock");
  need(ports.files.makeDirectory(folder));
  for (let waitMs = TREE_WAIT_MS_MIN; !signal.aborted;) {
    const taken = await ports.locks.takeLease(path);
    if (taken.ok || taken.failure.kind !== "lease-held") return need(taken);
    await ports.clock.sleep(waitMs, signal);
    waitMs = Math.min(2 * waitMs, TREE_WAIT_MS_MAX);
  }
  return undefined;
}
