import { need } from "../../base/fatal.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import { queueLease, queueOutput, readQueue } from "../../workspace/queue/queue-files.ts";
import { lastingArgv } from "../../workspace/lasting-program.ts";
import type { World } from "../../workspace/world.ts";

/**
 * Makes sure that a process works off the queue of a repository, if something waits in it: called by whatever looks at
 * the repository anyway. Does nothing outside of repositories.
 */
export async function ensureQueue(world: World): Promise<void> {
  const { files, locks, processes } = world.host;
  const repository = workTreeAround(files, world.cwd);
  if (repository === undefined) return;
  const queue = readQueue(files, repository);
  // Whoever only looks at sessions is told of their own files' faults, and not of those of the queue.
  if (!queue.ok || !queue.value.some(({ entries }) => entries.some(isOpen))) return;
  if (await locks.isLeaseHeld(queueLease(repository))) return;
  need(
    processes.daemon({
      argv: lastingArgv(world, "queue"),
      cwd: repository,
      env: { ...world.env, WISP_NO_INPUT: "1" },
      logPath: queueOutput(repository),
    }),
  );
}

/** Whether something is still to be done with an entry of a queue. */
export function isOpen({ state }: { readonly state: string }): boolean {
  return state === "waiting" || state === "claimed";
}
