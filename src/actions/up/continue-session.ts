import { CannotGoOn, need } from "../../base/fatal.ts";
import { RevisionUnfinished } from "../revise/revision-failures.ts";
import { homeHost } from "../../work/home-host.ts";
import {
  ensureSupervisor,
  type EnsuredSupervisor,
} from "../../agents/supervisor/ensure-supervisor.ts";
import type { EarlySupervisor } from "../../agents/supervisor/early-supervisor.ts";
import type { SpawnFailure } from "../../base/ports/processes.ts";
import type { Result } from "../../base/result.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import { unfinishedRevision } from "../revise/create-revision.ts";
import { findSession } from "../../workspace/find-session.ts";
import { needHome } from "../../workspace/need-home.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { findReviewer } from "./later-reviewer.ts";
import { hasFailed, supervisorGone } from "./supervisor-gone.ts";
import { readFamilyFacts } from "../../views/status/read-status.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { supervisorCommand } from "../../views/next/supervisor-command.ts";
import { takeEdit } from "./take-edit.ts";
import {
  needsResume,
  checkMayContinue,
  resumeRecord,
  startsFixing,
  type ContinueRequest,
} from "./resume-rules.ts";

/** How a session is to be resumed. */
export interface ContinueOptions {
  readonly session: string | undefined;
  /** Also continue a session that is stuck or paused. */
  readonly resume: boolean;
  /** From now on, fix what `--no-fix` leaves to people. */
  readonly fix?: boolean | undefined;
  /** Only show what would be done. */
  readonly dryRun: boolean;
}

/** A session that can be continued, and how. */
export interface Continuable {
  readonly found: FoundSession;
  readonly asked: ContinueRequest;
}

/**
 * Finds the session to continue: the named one or, for unreviewed commits, the one that reviews
 * them.
 */
export async function findContinuable(
  world: World,
  options: ContinueOptions,
): Promise<Continuable> {
  const named = need(findSession(world.host.files, world.cwd, options.session));
  await needHome(world, named, options);
  const revision = await unfinishedRevision(world, named);
  if (revision !== undefined) {
    const unfinished = { session: named.session.id, revision: revision.session.id };
    throw new CannotGoOn(RevisionUnfinished(unfinished));
  }
  const { later } = options.resume ? await readFamilyFacts(world, named) : {};
  const found = need(findReviewer(world, named, later));
  return { found, asked: { isResumed: options.resume, fix: options.fix ?? false, later } };
}

/** Continues a session in the background; one that has ended and is not reopened stays as it is. */
export async function resumeInBackground(world: World, session: string): Promise<void> {
  const { found, asked } = await findContinuable(world, { session, resume: true, dryRun: false });
  keepCurrent(world, found.session);
  if (found.mirrors !== undefined) {
    return sayThere(world, found, ["resume", found.session.id, "--detach"]);
  }
  if (endOf(await continueSession(world, found, asked)) !== undefined) return;
  const ensured = need(await superviseSession(world, found));
  if (hasFailed(ensured)) throw new CannotGoOn(supervisorGone(world, found));
}

/** Lifts a stop; on request also a pause, and the end of a stuck session. */
export async function continueSession(
  world: World,
  found: FoundSession,
  asked: ContinueRequest,
): Promise<SessionState> {
  const first = need(await readState(world, found));
  const nowMs = world.host.clock.nowMs();
  checkMayContinue(asked, { id: found.session.id, state: first.state, nowMs });
  // Before anything is recorded or started: an edit that cannot be adopted prevents it.
  const edit = await takeEdit(world, found, first.state);
  const { state } = edit ? need(await readState(world, found)) : first;
  const isLater = asked.isResumed && asked.later?.by === found.session.id;
  // After a complete end, lifting a stop reopens the session.
  if (isLater) {
    need(
      await appendHuman(world, found, (human) => (human.stopped ? undefined : { kind: "stop" })),
    );
  }
  const appended = need(
    await appendHuman(world, found, (human) =>
      needsResume(state, human, { ...asked, nowMs })
        ? resumeRecord(startsFixing({ ...state, human }, asked))
        : undefined,
    ),
  );
  return appended.isAppended ? need(await readState(world, found)).state : state;
}

/**
 * Makes sure that a session has a running supervisor.
 *
 * @param early a process that was started for it before, and waits
 */
export function superviseSession(
  world: World,
  found: FoundSession,
  early?: EarlySupervisor,
): Promise<Result<EnsuredSupervisor, SpawnFailure>> {
  const supervisor = supervisorCommand(world, found);
  return ensureSupervisor(homeHost(world.host, found), {
    ...{ home: found.home, supervisor, early },
  });
}
