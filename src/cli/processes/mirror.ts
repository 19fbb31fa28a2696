import { join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { awaitRest } from "../../actions/elsewhere/await-rest.ts";
import { shareBudget } from "../../actions/fleet/share-budget-left.ts";
import { ensureQueue } from "../../actions/queue/ensure-queue.ts";
import { attempted, need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import { startingNote } from "../../workspace/starting-note.ts";
import { homeAt, type Home } from "../../fs-protocol/home/home.ts";
import { onSignals } from "../../host/processes/on-signals.ts";
import { mirrorSession } from "../../remote/follow/mirror-session.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import { openMirrored } from "../../remote/open-mirrored.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { readSession, sessionsDirectory } from "../../workspace/sessions.ts";

/** `wisp mirror`: the process that follows a session elsewhere; its directory is the top of the work tree. */
export async function mirror(cli: Cli, id: string): Promise<Outcome> {
  const { host, cwd: repository } = cli;
  const home = homeAt(join(sessionsDirectory(repository), id));
  await using lease = need(await host.locks.takeLease(join(home.locks, MIRROR_LEASE)));
  // It is started again by whatever looks at the session, and so is the queue.
  await attempted(() => ensureQueue(cli));
  const end = new AbortController();
  onSignals(["SIGTERM", "SIGINT", "SIGHUP"], () => end.abort());
  void lease.lost.then(() => end.abort());
  const branch = startingNote(host.files, home)?.branch;
  const mirrored = need(await openMirrored(cli, { repository, id, branch }));
  const onLeft = () => void afterSession(cli, home);
  void awaitRest(cli, home, end.signal).then(() => end.abort());
  const followed = await mirrorSession(cli, mirrored, { signal: end.signal, onLeft });
  // A session that has lost its place holds up no other one.
  if (!followed.ok) await attempted(() => ensureQueue(cli));
  need(followed);
  return ok(EXIT.ok);
}

/** What a session leaves over is for others: what it did not use of a budget, and its place in the queue. */
async function afterSession(cli: Cli, home: Home): Promise<void> {
  const found = readSession(cli.host.files, home);
  if (found.ok) await attempted(() => shareBudget(cli, found.value));
  await attempted(() => ensureQueue(cli));
}
