import { ensureQueue } from "../../actions/queue/ensure-queue.ts";
import { EXIT } from "../../base/exit-code.ts";
import { attempted } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showRows } from "../../terminal/show-view.ts";
import { inBlocks } from "../../views/rows/row.ts";
import { startedRequest, type StartedRequest } from "../../views/queue/starts-view.ts";
import {
  listAllRows,
  sessionAnywhere,
  type ListAllView,
  type RepositoryOfAll,
  type SessionAnywhere,
} from "../../views/queue/list-all-view.ts";
import { startingHomes } from "../../workspace/starting-note.ts";
import { allSessions } from "../../workspace/find-session.ts";
import { knownRepositories } from "../../workspace/known-repositories.ts";
import { readQueue } from "../../workspace/queue/queue-files.ts";
import { removedSessions } from "../../workspace/removed-homes.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import { followed } from "./followed.ts";
import { readListedFacts } from "./list.ts";

/**
 * `wisp list --all`: the sessions of this repository and of the person's others, wherever they run, by what is known of
 * them here. Nothing that cannot be reached or read hides anything else.
 */
export async function listAll(cli: Cli, { json }: { readonly json: boolean }): Promise<Outcome> {
  const { files } = cli.host;
  const own = workTreeAround(files, cli.cwd);
  if (own !== undefined) await attempted(() => goOn(cli));
  const others = knownRepositories(cli).filter((one) => one !== own);
  const repositories: RepositoryOfAll[] = [];
  for (const one of [...(own === undefined ? [] : [own]), ...others]) {
    const read = await readRepository({ ...cli, cwd: one }, one === own);
    const { sessions, unreadable, starting, queue } = read;
    const size = sessions.length + unreadable.length + starting.length + queue.length;
    if (size > 0) repositories.push(read);
  }
  if (json) {
    const view: ListAllView = { schema: "wisp.list-all/1", repositories };
    cli.terminal.out(JSON.stringify(view, undefined, 2));
  } else if (repositories.length === 0) {
    cli.terminal.err("There are no sessions. To start one: wisp start request.md");
  } else showRows(cli.terminal, inBlocks(listAllRows(repositories)));
  return ok(EXIT.ok);
}

/** Has the queue of this repository worked off, and its sessions elsewhere followed. */
async function goOn(cli: Cli): Promise<void> {
  await ensureQueue(cli);
  const all = allSessions(cli.host.files, cli.cwd);
  const mirrored = all.ok ? all.value.sessions.filter((one) => one.mirrors !== undefined) : [];
  await Promise.all(mirrored.map((found) => attempted(() => followed(cli, found))));
}

async function readRepository(cli: Cli, isThisOne: boolean): Promise<RepositoryOfAll> {
  const { files, clock } = cli.host;
  const { cwd: repository } = cli;
  const all = allSessions(files, repository);
  const sessions: SessionAnywhere[] = [];
  const damaged = all.ok ? all.value.damaged : [{ session: "-", problem: all.failure.kind }];
  const unreadable = [...damaged];
  for (const found of all.ok ? all.value.sessions : []) {
    const read = await attempted(async () => sessionAnywhere(await readListedFacts(cli, found)));
    if (read.ok) sessions.push(read.value);
    else unreadable.push({ session: found.session.id, problem: read.failure.kind });
  }
  const isTold = new Set(unreadable.map(({ session }) => session));
  const removed = removedSessions(cli).filter(({ session }) => !isTold.has(session.id));
  const starts = startingHomes(files, repository);
  const starting = (starts.ok ? starts.value : []).map(({ id, note }) => {
    return { session: id, branch: note.branch, executor: note.executor };
  });
  const gone = removed.map(({ session }) => ({ session: session.id, problem: "home-removed" }));
  const queue = queueOf(cli, clock.nowMs());
  return {
    ...{ repository, isThisOne, sessions, starting, queue },
    unreadable: [...unreadable, ...gone],
  };
}

/** What of the queue is not a session. */
function queueOf({ host: { files }, cwd }: Cli, nowMs: number): readonly StartedRequest[] {
  const queue = readQueue(files, cwd);
  return (queue.ok ? queue.value : []).flatMap(({ json, entries }) =>
    entries
      .filter(({ state }) => state !== "started")
      .map((entry) => startedRequest(json, entry, nowMs)),
  );
}
