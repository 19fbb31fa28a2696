import type { Files } from "../../base/ports/files.ts";
import type { Refusal } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { movedTo } from "../../home/write-fence.ts";
import type { EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import { isTasksCurrent, compareTasks } from "../../session/rules/compare-tasks.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Oid } from "../../base/oid.ts";
import { branchRewritten, isRewritten } from "../../workspace/branch-rewritten.ts";
import { isInHead } from "../../git/repository/known-objects.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { topSession } from "../../workspace/find-session.ts";
import { partsOf, readFound } from "../../workspace/finished/finished-work.ts";
import { hasClones } from "../../workspace/has-clones.ts";
import { homeTrouble, homeWayOn, supervisorSaid } from "../../workspace/home-troubles.ts";
import { laterCommits } from "../../workspace/finished/later-commits.ts";
import { readRemoteSeen } from "../../workspace/finished/read-remote-seen.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { unusualAtEnd } from "../../workspace/finished/read-unusual.ts";
import { refusedNow } from "./refused-now.ts";
import { readRevisedWork, withRevisions } from "../review/revised-work.ts";
import { countRevised, readDamagedRevisions, readRevisions } from "../next/revisions-view.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { statusView, type StatusView } from "./status-view.ts";
import { isRevisedSince } from "../../workspace/finished/shipped-work.ts";

/** The current state of a session, and its status. */
export interface ReadStatus {
  readonly view: StatusView;
  readonly state: SessionState;
}

/**
 * The status of a session as `wisp status` shows it, including the work of its complete revisions. Every one-off
 * status display uses this function.
 */
export async function readStatus(
  world: World,
  found: FoundSession,
): Promise<Result<ReadStatus, Refusal>> {
  const { host } = world;
  const { home } = found;
  const presence = await readPresence(host, home);
  const read = await readState(world, found);
  if (!read.ok) return read;
  const { state } = read.value;
  const [revised, revisions, damagedRevisions, family, remoteSeen, recorded, unusual] =
    await Promise.all([
      readRevisedWork(world, found),
      readRevisions(world, found),
      readDamagedRevisions(world, found),
      readFamilyFacts(world, found, state),
      readRemoteSeen(world, found, state),
      recordedEnd(world, found, state),
      unusualAtEnd(world, found, state),
    ]);
  const own = statusView({
    ...found,
    ...read.value,
    ...presence,
    movedTo: movedTo(host.files, home),
    edits: [
      ...read.value.edits,
      ...(presence.alive.has("builder") ? [] : tasksEdit(host.files, found, state)),
    ],
    refusedNow: refusedNow(host.files, home, state),
    homeTrouble: homeTrouble(found),
    homeWayOn: homeWayOn(found),
    supervisorSaid: supervisorSaid(host.files, home),
    revised: countRevised(world, found),
    revisions,
    damagedRevisions,
    hasClones: hasClones(world, found),
    ...family,
    remoteSeen,
    recorded,
    ...unusual,
    nowMs: host.clock.nowMs(),
  });
  return ok({ view: withRevisions(own, state, revised.ok ? revised.value : []), state });
}

/** TASKS.md itself, if a person edited it and no command has recorded the edit yet. Valid only while no builder runs. */
function tasksEdit(
  files: Files,
  { home, session }: FoundSession,
  state: SessionState,
): readonly EditCopy[] {
  const current = isTasksCurrent(files, home, state);
  if (!current.ok || current.value) return [];
  const look = compareTasks(files, home, session);
  const isEdited = look.ok && look.value.status === "edited" && look.value.text !== undefined;
  return isEdited ? [{ file: "TASKS.md", path: home.tasks }] : [];
}

/** The commit that a rewritten or deleted branch should be reset to. */
async function recordedEnd(
  world: World,
  found: FoundSession,
  state: SessionState,
): Promise<Oid | undefined> {
  const isGone = state.branch.head === undefined || isRewritten(state);
  return isGone ? (await branchRewritten(world, found, state)).recorded : undefined;
}

/**
 * The unreviewed commits of the work that a session belongs to, including its revisions, and the state of the work
 * since it was shipped. Empty if one of the sessions cannot be read.
 *
 * @param state the session's own, if it was just read
 */
export async function readFamilyFacts(
  world: World,
  found: FoundSession,
  state?: SessionState,
): Promise<Pick<StatusFacts, "later" | "taken">> {
  const top = topSession(world.host.files, world.cwd, found);
  if (!top.ok) return {};
  const isItself = top.value.home.directory === found.home.directory;
  const work = await readFound(world, top.value, isItself ? state : undefined);
  if (!work.ok) return {};
  const family = partsOf(work.value);
  const later = laterCommits(family);
  const { closed } = work.value.state.human;
  if (closed?.how !== "done") return { later };
  const { repository } = found.session;
  const isMerged = await isInHead(gitContext(world), repository, closed.at);
  return { later, taken: { isRevisedSince: isRevisedSince(family), isMerged } };
}
