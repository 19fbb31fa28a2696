import { workOffQueue } from "../../actions/queue/work-off-queue.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { queueDirectory, queueLease } from "../../workspace/queue/queue-files.ts";

/** `wisp queue`: the process that works off the queue of a repository; its directory is the top of the work tree. */
export async function queue(cli: Cli): Promise<Outcome> {
  const { files, locks } = cli.host;
  need(files.makeDirectory(queueDirectory(cli.cwd)));
  const taken = await locks.takeLease(queueLease(cli.cwd));
  // Another one is at work.
  if (!taken.ok && taken.failure.kind === "lease-held") return ok(EXIT.ok);
  await using lease = need(taken);
  const end = new AbortController();
  // A signal ends this process at once: whatever it is doing, the next one goes on with it.
  void lease.lost.then(() => end.abort());
  await workOffQueue(cli, { random: Math.random, signal: end.signal });
  return ok(EXIT.ok);
}
