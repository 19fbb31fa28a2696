import { basename } from "node:path";
import { need } from "../../base/fatal.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { readRevisionsLog } from "../../fs-protocol/projections/revisions-log.ts";
import { WISP_STATES, type SessionStateName } from "../../session/rules/session-machine.ts";
import type { World } from "../../workspace/world.ts";
import { homeWayOn } from "../../workspace/home-troubles.ts";
import { planAhead } from "../status/milestone-status.ts";
import { nextCommands } from "./next-commands.ts";
import { lastSeen, readPresence } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { removedRevisions } from "../../workspace/removed-homes.ts";
import type { DamagedRevision, RevisionStatus } from "../../workspace/finished/revision-status.ts";
import { sessionStage } from "../../workspace/session/session-stage.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** How many revisions of a session are complete. */
export function countRevised({ host }: Pick<World, "host">, { home }: FoundSession): number {
  return need(readRevisionsLog(host.files, home.revisions)).length;
}

/**
 * Revisions whose homes cannot be read, or were removed. Until they are repaired, wisp cannot tell whether they have
 * ended.
 */
export async function readDamagedRevisions(
  world: Pick<World, "host" | "env" | "cwd" | "program">,
  { home, session }: FoundSession,
): Promise<readonly DamagedRevision[]> {
  const damaged: DamagedRevision[] = [];
  for (const one of need(revisionHomes(world.host.files, home))) {
    const found = readSession(world.host.files, one);
    const read = found.ok ? await readState(world, found.value) : found;
    if (!read.ok) damaged.push(damagedAt(`${session.id}/${basename(one.directory)}`, read.failure));
  }
  const isThere = new Set(damaged.map((one) => one.session));
  const removed = removedRevisions(world, session)
    .filter((one) => !isThere.has(one.session.id))
    .map((one) => damagedAt(one.session.id, { kind: "home-removed" }));
  return [...damaged, ...removed];
}

function damagedAt(session: string, { kind: problem }: { readonly kind: string }): DamagedRevision {
  const fsck = `wisp fsck ${shellWord(session)}`;
  // A home written by a later version of wisp is not damaged, so there is nothing to repair.
  return { session, problem, repair: problem === "session-later" ? fsck : `${fsck} --repair` };
}

/** The readable revisions of a session, oldest first; `readDamagedRevisions` returns the others. */
export async function readRevisions(
  world: Pick<World, "host" | "env" | "program">,
  { home }: FoundSession,
): Promise<readonly RevisionStatus[]> {
  const { files, clock } = world.host;
  const completed = new Map(
    need(readRevisionsLog(files, home.revisions)).map((line) => [line.number, line.completedAt]),
  );
  const views: RevisionStatus[] = [];
  for (const one of need(revisionHomes(files, home))) {
    const found = readSession(files, one);
    const read = found.ok ? await readState(world, found.value) : found;
    if (!found.ok || !read.ok) continue;
    const { builder } = read.value.state;
    const { session, home } = found.value;
    const presence = await readPresence(world.host, one);
    const own = { state: read.value.state, ...presence, nowMs: clock.nowMs() };
    const facts = lastSeen(own, one);
    const wayOn = homeWayOn(found.value);
    const stage = sessionStage(facts);
    const revision = session.parent?.revision ?? 0;
    views.push({
      session: session.id,
      revision,
      state: WISP_STATES[stage].name,
      stage,
      items: { done: builder.milestones.length, of: planAhead(read.value.state).length },
      completedAt: completed.get(revision),
      next: nextCommands({ ...facts, session, home, homeWayOn: wayOn }),
    });
  }
  return views;
}

const WORDS: Readonly<Record<SessionStateName, string>> = {
  START: "new",
  RUNNING: "running",
  NEEDS_INPUT: "asks",
  BLOCKED: "blocked",
  STOPPED: "stopped",
  DONE: "completed",
  PR_PUSHED: "completed",
  TEARDOWN: "completed",
};

/** The progress of a revision, in the form that the seed of revisions uses: `[completed] — 3/3`. */
export function progressWords({ stage, items }: Pick<RevisionStatus, "stage" | "items">): string {
  const { name } = WISP_STATES[stage];
  const closed = { abandoned: "abandoned", rejected: "rejected" } as const;
  const word = stage === "abandoned" || stage === "rejected" ? closed[stage] : WORDS[name];
  return `[${word}] — ${String(items.done)}/${String(items.of)}`;
}

/** `[1 revision]`, `[2 revisions]`; empty if there are none. */
export function revisedWords(revised: number): string {
  if (revised === 0) return "";
  return `[${String(revised)} ${revised === 1 ? "revision" : "revisions"}]`;
}
