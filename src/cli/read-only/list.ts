import { movedTo } from "../../home/write-fence.ts";
import { followed } from "./followed.ts";
import { attempted, need, type WorldFailure } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { shown } from "../../base/words/shown.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { allSessions } from "../../workspace/find-session.ts";
import { hasClones } from "../../workspace/has-clones.ts";
import { releaseIdle } from "../../actions/up/hibernate.ts";
import { showRows } from "../../terminal/show-view.ts";
import { readFamilyFacts } from "../../views/status/read-status.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import { readRemoteSeen } from "../../workspace/finished/read-remote-seen.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { removedSessions } from "../../workspace/removed-homes.ts";
import { countRevised } from "../../views/next/revisions-view.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import {
  listedSession,
  sessionRows,
  type ListedSession,
  type UntoldSession,
} from "../../views/next/session-rows.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { ensureQueue } from "../../actions/queue/ensure-queue.ts";

/** What `wisp list --json` prints; fields are added, never renamed or removed. */
export interface ListView {
  readonly schema: "wisp.list/1";
  readonly sessions: readonly ListedSession[];
  /** Sessions of which nothing can be told, and the kind of the failure. */
  readonly unreadable: readonly { readonly session: string; readonly problem: string }[];
}

/** `wisp list`: all sessions of the repository, oldest first. Unreadable ones are named. */
export async function list(cli: Cli, { json }: { readonly json: boolean }): Promise<Outcome> {
  const { host, terminal } = cli;
  const all = need(allSessions(host.files, cli.cwd));
  await attempted(() => ensureQueue(cli));
  const mirrored = all.sessions.filter(({ mirrors }) => mirrors !== undefined);
  await Promise.all(mirrored.map((found) => followed(cli, found)));
  const sessions: ListedSession[] = [];
  const unreadable: ListView["unreadable"][number][] = [];
  for (const found of all.sessions) {
    const read = await readListed(cli, found);
    if (read.ok) sessions.push(read.value);
    else unreadable.push({ session: found.session.id, problem: read.failure.kind });
  }
  const { damaged } = all;
  const isThere = new Set(damaged.map(({ session }) => session));
  const removed = removedSessions(cli).filter(({ session }) => !isThere.has(session.id));
  const gone = removed.map(({ session }) => ({ session: session.id, problem: "home-removed" }));
  const problems = [...damaged, ...unreadable, ...gone];
  if (json) {
    const view: ListView = { schema: "wisp.list/1", sessions, unreadable: problems };
    terminal.out(JSON.stringify(view, undefined, 2));
    await releaseIdle(cli, all.sessions);
    return ok(EXIT.ok);
  }
  if (sessions.length + problems.length === 0)
    terminal.err("There are no sessions here. To start one: wisp start request.md");
  else {
    const untold = untoldOf(removed, [...damaged, ...unreadable], host.clock.nowMs());
    showRows(terminal, sessionRows(sessions, untold));
  }
  for (const { session } of removed) {
    const repair = `wisp fsck ${shellWord(session.id)} --repair`;
    terminal.err(
      `wisp: the home of ${session.id} was removed; its branch ${shown(session.branch)} may still be there. To restore the home: ${repair}`,
    );
  }
  for (const { session, problem } of [...damaged, ...unreadable]) {
    const check = `wisp fsck ${shellWord(session)}`;
    // A session created by a later wisp is sound and needs no repair.
    const next = problem === "session-later" ? `see: ${check}` : `to repair it: ${check} --repair`;
    terminal.err(`wisp: ${session} cannot be read (${problem}); ${next}`);
  }
  await releaseIdle(cli, all.sessions);
  return ok(EXIT.ok);
}

/** What a row shows. A home that cannot be read, in whichever part, hides no other session. */
function readListed(cli: Cli, found: FoundSession): Promise<Result<ListedSession, WorldFailure>> {
  return attempted(async () => listedSession(await readListedFacts(cli, found)));
}

/** What is known of a session for a row of a list. */
export async function readListedFacts(cli: Cli, found: FoundSession): Promise<StatusFacts> {
  const { host } = cli;
  const presence = await readPresence(host, found.home);
  const read = need(await readState(cli, found));
  const nowMs = host.clock.nowMs();
  const more = await moreFacts(cli, found, read.state);
  return { ...found, ...read, ...more, ...presence, nowMs };
}

/** What a row shows beyond its session's own files. */
async function moreFacts(cli: Cli, found: FoundSession, state: SessionState) {
  return {
    revised: countRevised(cli, found),
    hasClones: hasClones(cli, found),
    movedTo: movedTo(cli.host.files, found.home),
    // Only the whole family knows what a revision reviewed.
    ...(state.human.revision > 0 ? await readFamilyFacts(cli, found) : {}),
    remoteSeen: await readRemoteSeen(cli, found, state),
  };
}

/** A row for each session whose home cannot be read. */
function untoldOf(
  removed: readonly FoundSession[],
  unreadable: readonly { readonly session: string }[],
  nowMs: number,
): readonly UntoldSession[] {
  return [
    ...removed.map(({ session: { id, branch, createdAt } }) => {
      const ageMs = Math.max(0, nowMs - Date.parse(createdAt));
      return { session: id, says: "home removed", branch, ageMs };
    }),
    ...unreadable.map(({ session }) => {
      return { session, says: "cannot be read", branch: undefined, ageMs: undefined };
    }),
  ];
}
